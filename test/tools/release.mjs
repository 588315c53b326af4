// npm run release: everything that a release needs, into dist/release, one line a step; the first step that fails ends it.
// Publishes nothing and makes no tag: the last lines say how.
//   node test/tools/release.mjs [--no-test]     --no-test: a dry run, without the tests
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { shippedPackages } from './notices.mjs';
import { NPM_FOLDER, PLUGIN_FOLDER, writeNpmPackage, writePlugin } from './npmPackage.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDER = path.join(ROOT, 'dist/release');
const CHECKSUMS = 'SHA256SUMS';
/** Lines of a failed program that are shown, from its end. */
const TAIL_LINES = 15;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const json = (file) => JSON.parse(read(file));

/** What is wrong, and what to do about it. */
class ReleaseError extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** The standard output of a program in the root. Throws a ReleaseError with its last lines. */
function output(remedy, command, ...args) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return result.stdout;
  const why = result.error?.message ?? result.signal ?? `exit ${result.status}`;
  const tail = `${result.stdout ?? ''}${result.stderr ?? ''}`.trimEnd().split('\n').slice(-TAIL_LINES);
  throw new ReleaseError([`${[command, ...args].join(' ')}: ${why}`, ...tail].join('\n  | '), remedy);
}

const linesOf = (text) => text.split('\n').filter((line) => line !== '');
const vsce = (remedy, ...args) =>
  output(remedy, process.execPath, 'node_modules/@vscode/vsce/vsce', ...args, '--no-dependencies');

/** Sections of the changelog, in their order: title, date if it has one, and the number of entries. */
function changelogSections(changelog) {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, title, date] = /^\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$/m.exec(section.split('\n', 1)[0]) ?? [];
      return { title, date, entries: section.match(/^- /gm)?.length ?? 0 };
    });
}

/**
 * Throws a ReleaseError unless package.json, lock file, changelog and tags name one version.
 * @param lockVersions the two places of the lock file
 * @param tags all tags `v…`, the highest version first; `headTags`: those of the commit
 */
export function checkVersion({ version, lockVersions, changelog, tags, headTags }) {
  const fail = (message, remedy) => {
    throw new ReleaseError(message, remedy);
  };
  if (!/^\d+\.\d+\.\d+$/.test(version))
    fail(`package.json: "${version}" is no version for the Marketplace`, 'use three numbers, such as 1.2.3');
  const other = lockVersions.find((each) => each !== version);
  if (other !== undefined)
    fail(`package-lock.json has ${other}, package.json ${version}`, 'run npm install --package-lock-only');

  const [unreleased, newest] = changelogSections(changelog);
  if (unreleased?.title !== 'Unreleased')
    fail('CHANGELOG.md does not begin with ## [Unreleased]', 'add an empty one at the top');
  if (unreleased.entries > 0)
    fail(
      `CHANGELOG.md: ${unreleased.entries} entries are under [Unreleased]`,
      `move them to ## [${version}], or raise the version`,
    );
  if (newest?.title !== version || newest.entries === 0)
    fail(`CHANGELOG.md: no entries of ${version} below [Unreleased]`, `add ## [${version}] - YYYY-MM-DD`);
  if (newest.date === undefined || Number.isNaN(Date.parse(newest.date)))
    fail(`CHANGELOG.md: ${version} has no date`, `write ## [${version}] - YYYY-MM-DD`);

  const tag = `v${version}`;
  const stray = headTags.find((each) => each !== tag);
  if (stray !== undefined)
    fail(`this commit has the tag ${stray}, package.json ${version}`, `delete the tag, or set that version`);
  if (tags.includes(tag) && !headTags.includes(tag))
    fail(`the tag ${tag} is on another commit`, 'raise the version, or check out the tag');
  const [highest] = [tag, ...tags].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  if (highest !== tag) fail(`the tag ${highest} is higher than ${version}`, 'raise the version');
}

/**
 * The parts of npm's CycloneDX list that are shipped: npm knows neither that development dependencies are bundled nor
 * which. Throws when npm's list lacks a shipped package.
 * @param packages names below `node_modules/`
 */
export function shippedBom(bom, packages, lock, manifest, description) {
  const refs = packages.map((name) => `${name.split('node_modules/').at(-1)}@${lock[`node_modules/${name}`]?.version}`);
  const shipped = new Set(refs);
  const components = bom.components.filter((component) => shipped.has(component['bom-ref']));
  const missing = refs.find((ref) => !components.some((component) => component['bom-ref'] === ref));
  if (missing) throw new ReleaseError(`npm sbom does not list ${missing}`, 'run npm ci, then this again');
  const root = bom.metadata.component;
  const known = new Set([...refs, root['bom-ref']]);
  return {
    ...bom,
    // npm takes the folder's name, and the description's key.
    metadata: { ...bom.metadata, component: { ...root, name: manifest.name, description } },
    components: components.map((component) => ({
      ...component,
      scope: 'required',
      properties: component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development'),
    })),
    dependencies: bom.dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) })),
  };
}

function versionStep({ version }) {
  const lock = json('package-lock.json');
  const git = (...args) => linesOf(output('release from a clone with its tags', 'git', ...args));
  const [tags, headTags] = [
    ['--list', 'v*'],
    ['--list', 'v*', '--points-at', 'HEAD'],
  ].map((args) => git('tag', ...args));
  const lockVersions = [lock.version, lock.packages[''].version];
  checkVersion({ version, lockVersions, changelog: read('CHANGELOG.md'), tags, headTags });
  return `${version} in package.json, lock file and changelog; tag v${version} ${headTags.length > 0 ? 'is on this commit' : 'is free'}`;
}

function treeStep() {
  const changed = linesOf(output('release from a clone', 'git', 'status', '--porcelain'));
  if (changed.length > 0)
    throw new ReleaseError(
      ['files are not committed:', ...changed.slice(0, TAIL_LINES)].join('\n  | '),
      'commit, stash or delete them',
    );
  return `clean at ${output('release from a clone', 'git', 'rev-parse', '--short', 'HEAD').trim()}`;
}

/** What is installed decides what is bundled, so it must be what the lock file says. */
function packagesStep() {
  const wanted = json('package-lock.json').packages;
  const installed = json('node_modules/.package-lock.json').packages;
  const wrong = Object.keys(wanted).find(
    (at) => at !== '' && !wanted[at].optional && installed[at]?.integrity !== wanted[at].integrity,
  );
  if (wrong)
    throw new ReleaseError(
      `${wrong} is not what package-lock.json says`,
      'run npm ci --ignore-scripts, then this again',
    );
  return `${Object.keys(installed).length} installed, as package-lock.json says`;
}

function docsStep() {
  for (const script of ['docs', 'notices'])
    output('run npm run docs, look at the changes and commit them', process.execPath, `test/tools/${script}.mjs`);
  return 'tables of README and guide, NOTICE.md';
}

function testStep() {
  const lines = linesOf(output('repair what failed; logs are in dist/test-logs', 'npm', 'test', '--silent'));
  return lines.at(-1);
}

function buildStep() {
  output('repair the build', process.execPath, 'esbuild.mjs', '--production');
  // Files that the build writes are ignored by Git, others may not change.
  treeStep();
  return 'production';
}

function npmStep({ name, version }) {
  writeNpmPackage();
  output('see npm’s message', 'npm', 'pack', './dist/npm', '--pack-destination', 'dist/release', '--silent');
  return `${name}-${version}.tgz, ${filesBelow(NPM_FOLDER).length} files`;
}

function pluginStep() {
  writePlugin();
  cpSync(PLUGIN_FOLDER, path.join(FOLDER, 'plugin'), { recursive: true });
  return `plugin, ${filesBelow(PLUGIN_FOLDER).length} files`;
}

/** Also fails when a file that .vscodeignore lets in does not exist: vsce says nothing about it. */
function vsixStep({ name, version }) {
  const file = `${name}-${version}.vsix`;
  const remedy = 'see the message of vsce; .vscodeignore lists what is packed';
  vsce(remedy, 'package', '--out', `dist/release/${file}`);
  const packed = linesOf(vsce(remedy, 'ls')).map((line) => line.replaceAll('\\', '/'));
  const allowed = linesOf(read('.vscodeignore')).filter((line) => line.startsWith('!'));
  const absent = allowed.find((line) => !packed.some(picomatch(line.slice(1))));
  if (absent) throw new ReleaseError(`the VSIX has no ${absent.slice(1)}`, 'build it, or take it out of .vscodeignore');
  return `${file}, ${packed.length} files`;
}

function sbomStep(manifest) {
  const args = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const bom = JSON.parse(output('run npm ci --ignore-scripts, then this again', 'npm', 'sbom', ...args));
  const { description } = json('package.nls.json');
  const shipped = shippedBom(bom, shippedPackages(), json('package-lock.json').packages, manifest, description);
  const file = `${manifest.name}-${manifest.version}.cdx.json`;
  writeFileSync(path.join(FOLDER, file), `${JSON.stringify(shipped, null, 2)}\n`);
  return `${file}, ${shipped.components.length} packages`;
}

function publishStep({ name, version }) {
  const file = `./dist/release/${name}-${version}.tgz`;
  output('see npm’s message', 'npm', 'publish', '--dry-run', '--access', 'public', '--ignore-scripts', file);
  return 'npm would take it; nothing was published';
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

/** Files of the release with their bytes and SHA-256, by name. */
function released() {
  return filesBelow(FOLDER)
    .filter((name) => name !== CHECKSUMS)
    .map((name) => {
      const bytes = readFileSync(path.join(FOLDER, name));
      return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
}

/** In the form that `sha256sum --check` reads. */
function checksumStep() {
  const files = released();
  writeFileSync(path.join(FOLDER, CHECKSUMS), files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  return `${CHECKSUMS}, ${files.length} files`;
}

/** Cheap checks first. The build comes after the tests, which build too, so that the last build is the one that is packed. */
const STEPS = {
  version: versionStep,
  tree: treeStep,
  packages: packagesStep,
  docs: docsStep,
  tests: testStep,
  build: buildStep,
  npm: npmStep,
  plugin: pluginStep,
  vsix: vsixStep,
  sbom: sbomStep,
  publish: publishStep,
  checksums: checksumStep,
};

function printFiles() {
  const files = released();
  const width = Math.max(...files.map(({ name }) => name.length));
  console.log('\nFiles of dist/release, bytes, SHA-256:');
  for (const { name, size, sha256 } of files)
    console.log(`${name.padEnd(width)}  ${String(size).padStart(9)}  ${sha256}`);
}

function printNext({ name, version }, isTested) {
  if (!isTested) {
    console.log('\nA dry run, without tests: to release, run npm run release.');
    return;
  }
  console.log(`\nNothing is published. To publish:
  git tag v${version} && git push origin v${version}
  npm publish --access public ./dist/release/${name}-${version}.tgz
  npx vsce publish --packagePath dist/release/${name}-${version}.vsix
and attach the files of dist/release to the release of the tag.`);
}

function main(args) {
  const unknown = args.find((arg) => arg !== '--no-test');
  if (unknown !== undefined) {
    console.error(`no option "${unknown}": use --no-test or none`);
    return 2;
  }
  const isTested = args.length === 0;
  const manifest = json('package.json');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, run] of Object.entries(STEPS)) {
    const started = performance.now();
    const tell = (mark, text) => console.log(`${mark} ${name.padEnd(9)} ${text}`);
    if (name === 'tests' && !isTested) {
      tell('--  ', 'not run (--no-test)');
      continue;
    }
    try {
      tell('ok  ', `${run(manifest)} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      tell('FAIL', error instanceof ReleaseError ? error.message : error.stack);
      console.log(`To do: ${error.remedy ?? 'repair what the message names, then run this again'}.`);
      return 1;
    }
  }
  printFiles();
  printNext(manifest, isTested);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
