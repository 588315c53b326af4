// Fills the tables between `<!-- name:start -->` and `<!-- name:end -->` in README.md and GUIDE.md from the manifest.
//   node test/tools/docs.mjs           exits 1 when a table is not what the manifest says
//   node test/tools/docs.mjs --write   writes them
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** What a setting may hold: its words, its bounds, or its kind. */
export function valuesOf({ type, enum: words, minimum, maximum, items }) {
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'array') return `any of ${valuesOf(items)}`;
  if (type === 'boolean') return '`true`, `false`';
  if (minimum === undefined || maximum === undefined) return type;
  return `${type}, ${minimum} to ${maximum}`;
}

/** Files with such tables. */
export const FILES = ['README.md', 'GUIDE.md'];

/** Returns `markdown` with its tables filled from the manifest. */
export function renderTables(markdown, manifest, words) {
  const say = (text) => String(text ?? '').replace(/^%(.+)%$/, (_, key) => words[key] ?? `missing: ${key}`);
  const cell = (text) => say(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const hidden = new Set(
    (manifest.contributes.menus?.commandPalette ?? [])
      .filter((item) => item.when === 'false')
      .map((item) => item.command),
  );
  const tables = {
    commands: [
      '| command | title |',
      '|---|---|',
      ...manifest.contributes.commands
        .filter((command) => !hidden.has(command.command))
        .map(({ command, category, title }) => `| \`${command}\` | ${cell(category)}: ${cell(title)} |`),
    ],
    tools: [
      '| tool | in a prompt | what an agent gets |',
      '|---|---|---|',
      ...(manifest.contributes.languageModelTools ?? []).map(
        ({ name, toolReferenceName, userDescription }) =>
          `| \`${name}\` | \`#${toolReferenceName}\` | ${cell(userDescription)} |`,
      ),
    ],
    settings: [
      '| setting | default | values | what it does |',
      '|---|---|---|---|',
      ...[manifest.contributes.configuration]
        .flat()
        .flatMap((group) =>
          Object.entries(group.properties).map(
            ([key, setting]) =>
              `| \`${key}\` | \`${JSON.stringify(setting.default)}\` | ${valuesOf(setting)} | ${cell(setting.markdownDescription ?? setting.description)} |`,
          ),
        ),
    ],
  };
  return Object.entries(tables).reduce(
    (text, [name, lines]) =>
      text.replace(
        new RegExp(`(<!-- ${name}:start -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`),
        (_, start, end) => `${start}${lines.join('\n')}\n${end}`,
      ),
    markdown,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [manifest, words] = ['package.json', 'package.nls.json'].map((file) => JSON.parse(read(file)));
  for (const file of FILES) {
    const before = read(file);
    const after = renderTables(before, manifest, words);
    if (process.argv.includes('--write')) writeFileSync(path.join(root, file), after);
    else if (before !== after) {
      console.error(`${file} does not match package.json: run npm run docs`);
      process.exitCode = 1;
    }
  }
}
