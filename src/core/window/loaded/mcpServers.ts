/** MCP servers as an agent's config files name them: which counts, and which is switched off. Nothing is started here. */
import { getNodeValue } from 'jsonc-parser';
import type { ServerFile, SettingRule, WindowRules } from '../../agents/windowRules';
import { valueAt } from '../../config/configTree';
import { hashText } from '../../text/hash';
import { isRecord, type JsonRecord, ownValue } from '../../text/jsonRecord';
import { lineAt } from '../../text/sentence';
import type { WindowFiles } from './homeFiles';
import { readOffLists } from './offLists';
import type { SettingEdit } from './settingEdit';
import { firstSetting, readJsonTree, readValue, tomlValue, withRoot } from './settingValue';

/** One server of one file. */
export interface ConfiguredServer {
  readonly name: string;
  readonly source: string;
  /** 1-based. */
  readonly line: number | null;
  /** As the file has it; `${VAR}` is left alone. */
  readonly entry: JsonRecord;
  /** Why it does not run; undefined where it does. */
  readonly off: { readonly fate: 'disabled' | 'shadowed'; readonly reason: string } | undefined;
  /** Program and arguments; empty for a server that is reached by a URL. */
  readonly command: readonly string[];
  readonly url: string | undefined;
  /** Changes with program, arguments, address and the names of variables, never with their values. 16 hex digits. */
  readonly commandHash: string;
  /** How it is turned off; undefined where no setting is known. */
  readonly disable: SettingEdit | undefined;
  /** The setting by which the tools of all servers load at start, though the agent would load them on demand. */
  readonly loadsAllBy: SettingEdit | undefined;
  /** How its tools load on demand again; undefined where its entry does not keep them from it. */
  readonly onDemand: SettingEdit | undefined;
  /** The setting that turns off a tool, by the name that the model knows it by; undefined where none does. */
  readonly toolOffBy: (sentName: string) => string | undefined;
  /** How one of its tools is turned off. */
  readonly disableTool: ((tool: string) => SettingEdit) | undefined;
}

interface Found {
  readonly name: string;
  readonly line: number | null;
  readonly entry: unknown;
}

/** More servers than this in one file are no configuration. */
const MAX_SERVERS = 200;

/** The servers below `keys`; undefined where the text is not of its format. */
function readServers(
  text: string,
  format: ServerFile['format'],
  keys: readonly string[],
): readonly Found[] | undefined {
  if (format === 'toml') return readTomlServers(text, keys);
  const tree = readJsonTree(text);
  if (!tree) return text.trim() === '' ? [] : undefined;
  const node = valueAt(tree, keys);
  const servers = new Map<string, Found>();
  for (const property of node?.type === 'object' ? (node.children ?? []).slice(0, MAX_SERVERS) : []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const name = String(key.value);
    // Of doubled names the last one counts, as agents read JSON, at the place of the first.
    servers.set(name, { name, line: lineAt(text, key.offset), entry: getNodeValue(value) as unknown });
  }
  return [...servers.values()];
}

function readTomlServers(text: string, keys: readonly string[]): readonly Found[] {
  const table = tomlValue(text, keys);
  if (!isRecord(table)) return [];
  const lines = text.split('\n');
  return Object.entries(table)
    .slice(0, MAX_SERVERS)
    .map(([name, entry]) => {
      const heads = [`[${keys.join('.')}.${name}]`, `[${keys.join('.')}."${name}"]`];
      const line = lines.findIndex((each) => heads.includes(each.trim().replace(/\s*#.*$/, '')));
      return { name, line: line < 0 ? null : line + 1, entry };
    });
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string' && value !== '') as string | undefined;
}

/** Program and arguments; some agents write both as one list. */
function commandOf(entry: JsonRecord): readonly string[] {
  const { command, args } = { command: ownValue(entry, 'command'), args: ownValue(entry, 'args') };
  if (Array.isArray(command)) return texts(command);
  return typeof command === 'string' && command !== '' ? [command, ...texts(args)] : [];
}

/** Names of variables that an entry gives a server. */
export function environmentOf(entry: JsonRecord): Readonly<Record<string, string>> {
  const given = ownValue(entry, 'env') ?? ownValue(entry, 'environment');
  if (!isRecord(given)) return {};
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

interface Switches {
  /** Why a server of a file is off; undefined where it is not. */
  offBy(name: string, file: string): string | undefined;
}

async function readSwitches(rules: WindowRules, root: string, files: WindowFiles): Promise<Switches> {
  const lists = await Promise.all(
    (rules.mcp?.switches ?? []).map(async ({ path, keys, kind, of }) => {
      const text = await files.text(path);
      const value = text === undefined ? undefined : readValue(text, withRoot(keys, root));
      return { path, key: keys.at(-1) ?? '', kind, of, names: Array.isArray(value) ? texts(value) : undefined };
    }),
  );
  return {
    offBy: (name, file) => {
      const by = lists.find(({ kind, of, names }) => {
        if (names === undefined || (of !== undefined && of !== file)) return false;
        return kind === 'disabled' ? names.includes(name) : !names.includes(name);
      });
      return by && `${by.key} in ${by.path}`;
    },
  };
}

/**
 * Servers of all files of an agent, strongest file first; of two of a name the first that is there counts.
 * @param root absolute path of the workspace, as config files name it
 */
export async function configuredServers(
  rules: WindowRules,
  root: string,
  files: WindowFiles,
): Promise<readonly ConfiguredServer[]> {
  const switches = await readSwitches(rules, root, files);
  const loadsAllBy = await readLoadsAll(rules, root, files);
  const offBy = await readOffLists(rules.mcp?.offLists, root, files);
  const toolOffBy = (name: string): string | undefined => offBy({ name });
  const taken = new Map<string, string>();
  const servers: ConfiguredServer[] = [];
  for (const file of rules.mcp?.files ?? []) {
    for (const found of await serversOf(file, root, files)) {
      // The other form of the same list.
      const isOtherForm = rules.mcp?.files.some(
        ({ path, keys }) => path === file.path && keys.length > file.keys.length && keys.at(-1) === found.name,
      );
      if (isOtherForm) continue;
      const configured = serverOf(found, file.path, switches, taken.get(found.name), files);
      if (!configured) continue;
      const server = { ...configured, loadsAllBy, toolOffBy, ...editsOf(rules, file, configured, root) };
      if (!taken.has(found.name)) taken.set(found.name, file.path);
      servers.push(server);
    }
  }
  return servers;
}

type ServerEdits = Pick<ConfiguredServer, 'disable' | 'onDemand' | 'disableTool'>;

type PlainServer = Omit<ConfiguredServer, keyof ServerEdits | 'loadsAllBy' | 'toolOffBy'>;

/** What can be said of a server in the agent's settings. */
function editsOf({ mcp }: WindowRules, file: ServerFile, { name, entry, off }: PlainServer, root: string): ServerEdits {
  const entryKeys = [...withRoot(file.keys, root), name];
  const edit = ({ path, keys, value }: SettingRule, item: string): SettingEdit => ({
    path: path ?? file.path,
    format: path === undefined ? file.format : 'json',
    keys: settingKeys(keys, { entryKeys, root, name: item }),
    ...(value === undefined ? { item } : { value }),
  });
  const { toolOff, deferral: { unless } = {} } = mcp ?? {};
  const isKept = unless !== undefined && ownValue(entry, unless) === true;
  return {
    disable: file.off && !off ? edit(file.off, name) : undefined,
    onDemand: isKept ? edit({ keys: ['{entry}', unless], value: false }, name) : undefined,
    disableTool: toolOff && ((tool) => edit(toolOff, tool)),
  };
}

/** Keys of a rule with what they stand for. */
export function settingKeys(
  keys: readonly string[],
  {
    entryKeys = [],
    root,
    name,
  }: { readonly entryKeys?: readonly string[]; readonly root: string; readonly name: string },
): readonly string[] {
  return keys.flatMap((key) =>
    key === '{entry}' ? entryKeys : [key === '{root}' ? root : key.replace('{name}', () => name)],
  );
}

async function readLoadsAll({ mcp }: WindowRules, root: string, files: WindowFiles): Promise<SettingEdit | undefined> {
  const setting = mcp?.deferral?.setting;
  const found = setting && (await firstSetting(setting, root, files));
  if (!found || found.value !== setting.off) return undefined;
  return { path: found.path, format: 'json', keys: setting.keys, value: 'true' };
}

async function serversOf(file: ServerFile, root: string, files: WindowFiles): Promise<readonly Found[]> {
  const text = await files.text(file.path);
  if (text === undefined) return [];
  try {
    const found = readServers(text, file.format, withRoot(file.keys, root));
    if (found) return found;
  } catch {
    // Wrong TOML, or JSON nested deeper than a parser can follow.
  }
  files.addProblem(file.path, `${file.path} is not valid ${file.format.toUpperCase()}: its MCP servers are unknown`);
  return [];
}

function serverOf(
  { name, line, entry }: Found,
  source: string,
  switches: Switches,
  shadowedBy: string | undefined,
  files: WindowFiles,
): PlainServer | undefined {
  const command = isRecord(entry) ? commandOf(entry) : [];
  const url = isRecord(entry)
    ? firstText(...['url', 'httpUrl', 'serverUrl'].map((key) => ownValue(entry, key)))
    : undefined;
  if (!isRecord(entry) || (command.length === 0 && url === undefined)) {
    files.addProblem(source, `${source}: the MCP server "${name}" has neither a command nor a URL`);
    return undefined;
  }
  const offBy = switches.offBy(name, source);
  const isOff = ownValue(entry, 'disabled') === true || ownValue(entry, 'enabled') === false;
  const off =
    shadowedBy !== undefined
      ? { fate: 'shadowed' as const, reason: `the server of this name in ${shadowedBy} takes precedence` }
      : isOff
        ? { fate: 'disabled' as const, reason: 'its entry turns it off' }
        : offBy !== undefined
          ? { fate: 'disabled' as const, reason: `turned off by ${offBy}` }
          : undefined;
  const commandHash = hashText(JSON.stringify([command, url ?? null, Object.keys(environmentOf(entry)).sort()]));
  return { name, source, line, entry, off, command, url, commandHash };
}
