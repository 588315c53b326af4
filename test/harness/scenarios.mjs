// What the integration suite is run on: one workspace a scenario, made anew in a folder of the run's profile.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyWorkspace } from './host.mjs';

/** Name → how the workbench is opened. `open` gives the query of its address; `settings` are the user's. */
export const SCENARIOS = {
  trusted: { isTrusted: true, open: (place) => folderQuery(copyWorkspace(place, 'editor/main', 'main')) },
  restricted: { isTrusted: false, open: (place) => folderQuery(copyWorkspace(place, 'editor/main', 'main')) },
  // The sample has a window without a folder among the steps of the installed extension.
  noFolder: { isTrusted: true, isOnlyLong: true, open: () => 'ew=true' },
  // On a server that has shown other folders before, its window was seen to wait for its second folder without end.
  multiRoot: { isTrusted: true, hasOwnServer: true, open: multiRootQuery },
  large: { isTrusted: true, isOnlyLong: true, open: (place) => folderQuery(writeLargeWorkspace(place, 2000)) },
  // With chat, which runs MCP servers; elsewhere it is off, for its own extension starts with it and takes its time.
  chat: {
    isTrusted: true,
    isOnlyLong: true,
    settings: { 'chat.disableAIFeatures': false },
    open: (place) => folderQuery(copyWorkspace(place, 'editor/main', 'main')),
  },
  // For the bench: it waits for minutes to see that nothing happens.
  ownBudget: {
    isTrusted: true,
    isAskedFor: true,
    settings: { 'contextBudget.statusBar.visible': false },
    open: (place) => folderQuery(writeLargeWorkspace(place, 10_000)),
  },
};

const LARGE_FUNCTIONS = 12;

/** A folder of many small source files, made anew because 2,000 fixtures would only be noise in the repository. */
function writeLargeWorkspace(place, files) {
  const root = path.join(place, 'workspaces/large');
  for (let i = 0; i < files; i++) {
    const folder = path.join(root, `src/part${i % 50}`);
    mkdirSync(folder, { recursive: true });
    const functions = Array.from({ length: LARGE_FUNCTIONS }, (_, n) => {
      const name = `compute${i}Step${n}`;
      return `/** Step ${n} of part ${i}. */\nexport function ${name}(input: number): number {\n  return helper${(i + n) % files}(input) + ${n};\n}\n`;
    });
    writeFileSync(
      path.join(folder, `file${i}.ts`),
      `${functions.join('\n')}\nfunction helper${i}(value: number): number {\n  return value * 2;\n}\n`,
    );
  }
  writeFileSync(path.join(root, 'AGENTS.md'), '# Large\n\nMany files, for measuring.\n');
  return root;
}

function folderQuery(folder) {
  return `folder=${encodeURIComponent(folder)}`;
}

function multiRootQuery(place) {
  const folders = ['main', 'second'].map((name) => ({ path: copyWorkspace(place, `editor/${name}`, name) }));
  const file = path.join(place, 'workspaces/two.code-workspace');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folders }));
  return `workspace=${encodeURIComponent(file)}`;
}
