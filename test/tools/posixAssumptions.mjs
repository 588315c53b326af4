// Assumptions that hold on POSIX alone, each as the text that puts it into a file: `mutate.mjs --posix` plants them one at a time.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are texts of source files.
const PORT = 'src/node/platform.ts';

export const POSIX_ASSUMPTIONS = [
  { file: PORT, kind: 'no name is a device', from: 'DEVICE.test(segment) || ', by: '' },
  { file: PORT, kind: 'a name keeps its last dot or space', from: ' || DROPPED.test(segment)', by: '' },
  {
    file: PORT,
    kind: 'a backslash, a drive or a stream is part of a name',
    from: '    !/[\\\\:]/.test(relative) &&\n',
    by: '',
  },
  {
    file: PORT,
    kind: 'a path that begins with a separator is full',
    from: '[\\\\/]{2}|[A-Za-z]:[\\\\/])/',
    by: '[\\\\/]|[A-Za-z]:[\\\\/])/',
  },
  { file: PORT, kind: 'a drive is spelled in one way', from: 'withDrive(root), withDrive(place)', by: 'root, place' },
  { file: PORT, kind: 'separators are slashes', from: "found?.replaceAll('\\\\', '/')", by: 'found' },
  {
    file: PORT,
    kind: 'a real path has the case that was asked for',
    from: 'real.toLowerCase() === asked.toLowerCase()',
    by: 'real === asked',
  },
  { file: PORT, kind: 'a child ends with its parent', from: "String(pid), '/T', '/F'", by: "String(pid), '/F'" },
  {
    file: PORT,
    kind: 'a bare name is looked up along PATH alone',
    from: "path.win32.join(system, 'System32', 'taskkill.exe')",
    by: "'taskkill.exe'",
  },
  { file: PORT, kind: 'PATH is spelled in capitals', from: "name.toUpperCase() === 'PATH'", by: "name === 'PATH'" },
  { file: PORT, kind: 'PATH is separated by colons', from: "split(';')", by: "split(':')" },
  { file: PORT, kind: 'a program has no ending', from: '[`${name}.exe`, `${name}.com`]', by: '[name]' },
  {
    file: PORT,
    kind: 'a volume has one number',
    from: 'isSameFile: (a, b) => a.ino === b.ino,',
    by: 'isSameFile: (a, b) => a.ino === b.ino && a.dev === b.dev,',
  },
  { file: PORT, kind: 'a file that is open can be replaced', from: 'HELD_CODES.has(code)', by: 'false' },
  { file: PORT, kind: 'lines end with LF', from: "[['autocrlf', 'true']]", by: '[]' },
  {
    file: 'src/node/git/gitEnvironment.ts',
    kind: 'the home is HOME',
    from: "platform.homeVariable !== 'HOME'",
    by: 'false',
  },
  {
    file: 'src/node/process/resolveExecutable.ts',
    kind: 'folders are joined by slashes',
    from: 'platform.path.join(folder, each)',
    by: '`${folder}/${each}`',
  },
];
