/** What our own git directory takes over from a repository's settings: its format, and how it compares files. */

/** Words for a switch, as git knows them. */
const SWITCH = /^(?:true|false|yes|no|on|off|[01])$/i;

/** Settings that `status` needs to see the files as the user's git does. None of them names a program or a place. */
const TAKEN: Readonly<Record<string, RegExp>> = {
  filemode: SWITCH,
  ignorecase: SWITCH,
  symlinks: SWITCH,
  precomposeunicode: SWITCH,
  trustctime: SWITCH,
  checkstat: /^(?:default|minimal)$/i,
  autocrlf: /^(?:true|false|input)$/i,
  eol: /^(?:lf|crlf|native)$/i,
};

/** Extensions that change nothing for our questions. */
const HARMLESS = /^extensions\.(?:noop|noop-v1|preciousobjects|partialclone|worktreeconfig|relativeworktrees)$/;

/** The text of our config; `undefined` for a format that only the user's own git should read. */
export function ownConfig(settings: ReadonlyMap<string, string>, platform: NodeJS.Platform): string | undefined {
  const version = settings.get('core.repositoryformatversion') ?? '0';
  if (version !== '0' && version !== '1') return undefined;
  const hash = settings.get('extensions.objectformat')?.toLowerCase() ?? 'sha1';
  if (!/^sha(?:1|256)$/.test(hash)) return undefined;
  const others = [...settings.keys()].filter((key) => key.startsWith('extensions.') && !HARMLESS.test(key));
  if (others.some((key) => key !== 'extensions.objectformat' && !isPlainRefs(key, settings))) return undefined;
  const taken = Object.entries(TAKEN).flatMap(([key, values]) => {
    const value = settings.get(`core.${key}`);
    return value !== undefined && values.test(value) ? [`${key} = ${value}`] : [];
  });
  // Git for Windows comes with this in its system config, which is not read.
  if (platform === 'win32' && !settings.has('core.autocrlf')) taken.push('autocrlf = true');
  const format = hash === 'sha1' ? 0 : 1;
  const core = [`repositoryformatversion = ${format}`, 'bare = true', 'untrackedCache = false', ...taken];
  const extensions = hash === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${hash}\n`;
  return `[core]\n${core.map((line) => `\t${line}\n`).join('')}${extensions}`;
}

/** Refs as files, not as tables. */
function isPlainRefs(key: string, settings: ReadonlyMap<string, string>): boolean {
  return key === 'extensions.refstorage' && settings.get(key)?.toLowerCase() === 'files';
}
