// Writes NOTICE.md: the licences of what the extension ships, read from node_modules.
//   node test/tools/notices.mjs           exits 1 when NOTICE.md is not what node_modules says
//   node test/tools/notices.mjs --write   writes it
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/**
 * Development dependencies that are bundled all the same: of the MCP SDK the server over stdio alone, so that what it
 * depends on to serve HTTP is neither shipped nor listed.
 */
const BUNDLED = ['@modelcontextprotocol/sdk'];

/** Names of the packages whose code or data ends up in the package: dependencies, theirs, and the grammars. */
export function shippedPackages() {
  const lock = json('package-lock.json').packages;
  const production = Object.entries(lock)
    .filter(([at, entry]) => at.startsWith('node_modules/') && !entry.dev && !entry.optional)
    .map(([at]) => at.slice('node_modules/'.length));
  const grammars = json('grammars/manifest.json').grammars.map((grammar) => grammar.package);
  return [...new Set([...production, ...BUNDLED, ...grammars])].sort();
}

/** Packages without a licence file: a file of theirs whose first comment has copyright and terms. */
const HEADER_FILES = { brotli: 'dec/decode.js' };

function headerText(name, folder) {
  const file = HEADER_FILES[name];
  return file && /^\/\*\s*([\s\S]*?)\s*\*\//.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1];
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)([.-].*)?$/i.test(name));
  return file && existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), 'utf8').trim() : undefined;
}

/** NOTICE.md as it should be. */
export function renderNotices() {
  const parts = shippedPackages().map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license } = json(path.join('node_modules', name, 'package.json'));
    const text = licenceText(folder) ?? headerText(name, folder);
    return [
      `## ${name} ${version}`,
      `Licence: ${license}`,
      text ? `\`\`\`text\n${text.replaceAll('\r', '')}\n\`\`\`` : undefined,
    ]
      .filter(Boolean)
      .join('\n\n');
  });
  return `${['# Notices', 'Context Budget ships code and data of these packages.', ...parts].join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(root, 'NOTICE.md');
  if (process.argv.includes('--write')) writeFileSync(file, renderNotices());
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== renderNotices()) {
    console.error('NOTICE.md is not what node_modules says: run npm run docs');
    process.exit(1);
  }
}
