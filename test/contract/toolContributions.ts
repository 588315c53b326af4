import type { ContextTool } from '../../src/core/tools/tool';
import { CONTEXT_TOOLS } from '../../src/core/tools/toolCatalog';
import { FOLDER_ARGUMENT } from '../../src/vscode/agents/toolFolders';
import { CONTEXT_KEYS, editorToolName } from '../../src/vscode/base/ids';

/** What people write after `#`, and the icon. */
const FACES: Readonly<Record<string, { readonly reference: string; readonly icon: string }>> = {
  context_index: { reference: 'contextIndex', icon: '$(list-unordered)' },
  context_timeline: { reference: 'contextTimeline', icon: '$(history)' },
  context_detail: { reference: 'contextDetail', icon: '$(expand-all)' },
  repo_map: { reference: 'repoMap', icon: '$(list-tree)' },
  context_search: { reference: 'contextSearch', icon: '$(search)' },
  context_budget: { reference: 'contextBudget', icon: '$(dashboard)' },
};

/** Other tools are named as the editor names them. */
function modelDescription({ description }: ContextTool): string {
  return CONTEXT_TOOLS.reduce(
    (text, { name }) => text.replace(new RegExp(`\\b${name}\\b`, 'g'), editorToolName(name)),
    description,
  );
}

function inputSchema(tool: ContextTool): object {
  const schema = tool.inputSchema() as { readonly properties?: object };
  const folder = { type: 'string', description: 'workspace folder, if not the active one' };
  return { ...schema, properties: { ...schema.properties, [FOLDER_ARGUMENT]: folder } };
}

/** `contributes.languageModelTools` as the catalogue of tools has it. */
export function toolContributions(): readonly object[] {
  return CONTEXT_TOOLS.map((tool) => {
    const face = FACES[tool.name];
    if (!face) throw new Error(`${tool.name} has no reference and no icon in toolContributions.ts`);
    return {
      name: editorToolName(tool.name),
      toolReferenceName: face.reference,
      canBeReferencedInPrompt: true,
      displayName: `%tool.${tool.name}.displayName%`,
      userDescription: `%tool.${tool.name}.userDescription%`,
      modelDescription: modelDescription(tool),
      icon: face.icon,
      tags: ['context-budget', 'context'],
      when: `workspaceFolderCount > 0 && !${CONTEXT_KEYS.hasServer}`,
      inputSchema: inputSchema(tool),
    };
  });
}
