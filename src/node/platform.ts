/**
 * What differs between operating systems, in one place: no other file asks for the system's name or separators. A platform
 * is a value, so tests take the rules of Windows on any machine.
 */
import path from 'node:path';

/** What tells two files apart (stat(2)). */
interface Identity {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
}

/** Where programs keep their files: in the folder of a variable, else below the home. */
export interface UserPlace {
  readonly variable?: string;
  readonly below: readonly string[];
  /** Behind the program's own folder. */
  readonly end: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The rules of one operating system. Nothing in it touches the disk. */
export interface Platform {
  readonly name: NodeJS.Platform;
  readonly path: path.PlatformPath;
  /** Variable that names the user's home. */
  readonly homeVariable: 'HOME' | 'USERPROFILE';
  readonly userPlaces: { readonly caches: UserPlace; readonly config: UserPlace };
  /** True where processes form groups and signals exist; elsewhere see {@link Platform.endTree}. */
  readonly hasGroups: boolean;
  /** True where a rename replaces a file that another process has open. */
  readonly replacesOpenFiles: boolean;
  /** True where a folder can be opened and written to disk. */
  readonly syncsFolders: boolean;
  /** Settings that Git has here in its system config, as lines below `[core]`. */
  readonly gitDefaults: readonly (readonly [key: string, value: string])[];

  /** The path if it names one place whatever folder or drive is current; on Windows it has a drive or a server. */
  fullPath(folder: string | undefined): string | undefined;
  /** A path with the system's separators as a workspace path, with `/`. */
  portable(native: string): string;
  /** `place` as seen from `root`, both real paths, as a workspace path; `''` for the root, undefined outside of it. */
  below(root: string, place: string): string | undefined;
  /** True when `place` is `root` or below it, links not followed. In doubt true: Windows ignores case. */
  isInside(root: string, place: string): boolean;
  /** True when a real path is the one that was asked for: file systems without case give back the name as it was made. */
  isSamePlace(real: string, asked: string): boolean;
  /** True for a place whose mere lookup asks another machine. */
  isNetworkPlace(place: string): boolean;
  /** True for a workspace path as `FileSource` defines it, if this system opens the file of that name and no other thing. */
  isPlainPath(relative: string): boolean;
  /** True when both looks were at one file. */
  isSameFile(a: Identity, b: Identity): boolean;
  /** True for an error code that says that another process holds the file now, and may not for long. */
  isHeld(code: string | undefined): boolean;

  /** Entries of `PATH` in its order, full paths alone: any other means the current folder or drive. */
  searchPath(env: Environment): readonly string[];
  /** Names under which a bare program name is looked up; undefined when `name` has a folder in it. */
  programNames(name: string): readonly string[] | undefined;
  /** The command that ends a process with its tree; undefined where groups and signals do it. */
  endTree(pid: number, env: Environment): { readonly file: string; readonly args: readonly string[] } | undefined;
  /** The command with which a shell runs one line, as agents call it. */
  shellCall(line: string): readonly [string, ...string[]];
}

/** Where POSIX systems look without a `PATH`. */
const STANDARD_FOLDERS = ['/usr/bin', '/bin'];

/** Automounters and file systems of a network. */
const POSIX_NETWORK = /^(?:\/\/|\\\\|\/(?:net|Network|misc|afs)(?:\/|$))/;

const posix: Platform = {
  name: 'linux',
  path: path.posix,
  homeVariable: 'HOME',
  // https://specifications.freedesktop.org/basedir-spec/latest/
  userPlaces: {
    caches: { variable: 'XDG_CACHE_HOME', below: ['.cache'], end: [] },
    config: { variable: 'XDG_CONFIG_HOME', below: ['.config'], end: [] },
  },
  hasGroups: true,
  replacesOpenFiles: true,
  syncsFolders: true,
  gitDefaults: [],
  fullPath: (folder) => (folder !== undefined && path.posix.isAbsolute(folder) ? folder : undefined),
  portable: (native) => native,
  below: (root, place) => belowPrefix(root, place, path.posix.sep),
  isInside: (root, place) => isBelow(path.posix, root, place),
  isSamePlace: (real, asked) => real === asked,
  isNetworkPlace: (place) => POSIX_NETWORK.test(place),
  isPlainPath: hasPlainSegments,
  isSameFile: (a, b) => a.ino === b.ino && a.dev === b.dev,
  isHeld: () => false,
  searchPath: ({ PATH }) => (PATH === undefined ? STANDARD_FOLDERS : PATH.split(':').filter(path.posix.isAbsolute)),
  programNames: (name) => (name.includes('/') ? undefined : [name]),
  endTree: () => undefined,
  shellCall: (line) => ['/bin/sh', '-c', line],
};

/**
 * Names of devices, with any extension, in each folder
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). Opening one reads the console or a port.
 */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[ .].*)?$/i;

/** Windows drops these at the end of a name, so it leads to another file. */
const DROPPED = /[. ]$/;

/** Two separators, or a drive and a separator. `\x` and `C:x` depend on the current drive or folder. */
const FULL_ON_WINDOWS = /^(?:[\\/]{2}|[A-Za-z]:[\\/])/;

/** Codes of Windows while another process, often a virus scanner, has the file open, or while it is being deleted. */
const HELD_CODES: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

const windows: Platform = {
  name: 'win32',
  path: path.win32,
  homeVariable: 'USERPROFILE',
  userPlaces: {
    caches: { variable: 'LOCALAPPDATA', below: ['AppData', 'Local'], end: ['Cache'] },
    config: { variable: 'APPDATA', below: ['AppData', 'Roaming'], end: ['Config'] },
  },
  hasGroups: false,
  replacesOpenFiles: false,
  syncsFolders: false,
  gitDefaults: [['autocrlf', 'true']],
  fullPath: (folder) => (folder !== undefined && FULL_ON_WINDOWS.test(folder) ? folder : undefined),
  portable: (native) => native.replaceAll('\\', '/'),
  below: (root, place) => {
    const found = belowPrefix(withDrive(root), withDrive(place), path.win32.sep);
    return found?.replaceAll('\\', '/');
  },
  isInside: (root, place) => isBelow(path.win32, root, place),
  isSamePlace: (real, asked) => real.toLowerCase() === asked.toLowerCase(),
  isNetworkPlace: (place) => /^[\\/]{2}/.test(place),
  isPlainPath: (relative) =>
    hasPlainSegments(relative) &&
    !/[\\:]/.test(relative) &&
    !relative.split('/').some((segment) => DEVICE.test(segment) || DROPPED.test(segment)),
  // One volume has two numbers, by the way a file was asked for.
  isSameFile: (a, b) => a.ino === b.ino,
  isHeld: (code) => HELD_CODES.has(code),
  searchPath: (env) => {
    const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH');
    const entries = (key === undefined ? undefined : env[key])?.split(';') ?? [];
    return entries.map((entry) => entry.replace(/^"|"$/g, '')).filter((entry) => FULL_ON_WINDOWS.test(entry));
  },
  programNames: (name) => {
    if (/[\\/:]/.test(name)) return undefined;
    // Scripts (.cmd, .bat) would need a shell, and with it its quoting: only programs are started.
    return /\.(?:exe|com)$/i.test(name) ? [name] : [`${name}.exe`, `${name}.com`];
  },
  endTree: (pid, { SystemRoot }) => {
    // By its full path: a bare name would be looked up in the current folder first, which is the workspace.
    const system = windows.fullPath(SystemRoot) ?? 'C:\\Windows';
    return { file: path.win32.join(system, 'System32', 'taskkill.exe'), args: ['/PID', String(pid), '/T', '/F'] };
  },
  // Of the shells that agents use on Windows, PowerShell takes a line as one argument without quoting of its own.
  shellCall: (line) => ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', line],
};

const macos: Platform = {
  ...posix,
  name: 'darwin',
  userPlaces: {
    caches: { below: ['Library', 'Caches'], end: [] },
    config: { below: ['Library', 'Preferences'], end: [] },
  },
  isSamePlace: windows.isSamePlace,
};

/** The rules of a system by Node's name for it; systems without rules of their own follow POSIX. */
export function platformOf(name: NodeJS.Platform): Platform {
  if (name === 'win32') return windows;
  return name === 'darwin' ? macos : { ...posix, name };
}

/** The rules of the system that runs this. */
export const HOST = platformOf(process.platform);

/** Programs name one drive `c:` and `C:`, also in real paths. */
function withDrive(place: string): string {
  return place.replace(/^[a-z](?=:)/, (letter) => letter.toUpperCase());
}

function belowPrefix(root: string, place: string, separator: string): string | undefined {
  if (place === root) return '';
  const prefix = root.endsWith(separator) ? root : root + separator;
  return place.startsWith(prefix) ? place.slice(prefix.length) : undefined;
}

function isBelow({ relative, isAbsolute, sep }: path.PlatformPath, root: string, place: string): boolean {
  const found = relative(root, place);
  return found !== '..' && !found.startsWith(`..${sep}`) && !isAbsolute(found);
}

function hasPlainSegments(relative: string): boolean {
  if (relative === '') return true;
  if (relative.includes('\0')) return false;
  return relative.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
