/** Values of an agent's settings files. Bad text is no value. */
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { ServerFile } from '../../agents/windowRules';
import { valueAt } from '../../config/configTree';
import { isRecord, ownValue } from '../../text/jsonRecord';
import type { WindowFiles } from './homeFiles';

/** The tree of a JSON text with comments; undefined where it is wrong. */
export function readJsonTree(text: string): Node | undefined {
  const errors: { readonly error: number }[] = [];
  const tree = parseTree(text, errors as never, { allowTrailingComma: true });
  return errors.length === 0 ? tree : undefined;
}

/** The form of a settings file. */
type SettingFormat = ServerFile['format'] | 'yaml';

function valueBelow(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isRecord(at) ? ownValue(at, key) : undefined), root);
}

/**
 * The value below `keys` of a TOML text; undefined where there is none.
 * @throws for wrong TOML
 */
export function tomlValue(text: string, keys: readonly string[]): unknown {
  return valueBelow(parseToml(text), keys);
}

/** The value below `keys` of a text; undefined where there is none, or where the text is wrong or nested too deep. */
export function readValue(text: string, keys: readonly string[], format: SettingFormat = 'json'): unknown {
  try {
    if (format === 'toml') return tomlValue(text, keys);
    if (format === 'yaml') return valueBelow(parseYaml(text, { logLevel: 'error' }), keys);
    const tree = readJsonTree(text);
    const node = tree && valueAt(tree, keys);
    return node && (getNodeValue(node) as unknown);
  } catch {
    return undefined;
  }
}

/** Keys with the absolute path of the workspace for `{root}`. */
export function withRoot(keys: readonly string[], root: string): readonly string[] {
  return keys.map((key) => (key === '{root}' ? root : key));
}

/** The first value below `keys` of these settings files, and its file. */
export async function firstSetting(
  {
    paths,
    keys,
    format,
  }: { readonly paths: readonly string[]; readonly keys: readonly string[]; readonly format?: SettingFormat },
  root: string,
  files: WindowFiles,
): Promise<{ readonly path: string; readonly value: unknown } | undefined> {
  for (const path of paths) {
    const text = await files.text(path);
    const value = text === undefined ? undefined : readValue(text, withRoot(keys, root), format);
    if (value !== undefined) return { path, value };
  }
  return undefined;
}
