/** Forms of lists and settings that rows of several agents share. See `windowRules.ts` for the fields. */
import type { ServerFile, SettingRule, ToolForm } from './windowRules';

export const WORD = /[^A-Za-z0-9_-]/g;

/** A file of the form `{ "mcpServers": { … } }`, which most agents read. */
export function plain(path: string, ...keys: readonly string[]): ServerFile {
  return { path, format: 'json', keys: keys.length > 0 ? keys : ['mcpServers'] };
}

/** Keys of an entry that turn its server off. */
export const DISABLED: SettingRule = { keys: ['{entry}', 'disabled'], value: true };
export const ENABLED: SettingRule = { keys: ['{entry}', 'enabled'], value: false };

/** For agents whose own form is not public: the name, the description and the schema of the server. */
export const ASSUMED: ToolForm = {
  name: '{server}_{tool}',
  letters: WORD,
  schemaKey: 'parameters',
  schema: 'unchanged',
};

export const XML_SKILL =
  '  <skill>\n    <name>{name}</name>\n    <description>{description}</description>\n    <location>{path}</location>\n  </skill>\n';

/** A key of a skill's head that leaves it to the user's call. */
export const USER_ONLY = { key: 'disable-model-invocation', value: 'true' };
