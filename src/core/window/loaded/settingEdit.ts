/** One edit of an agent's settings or of a skill's head. What else is in the file stays as it is. Pure. */
import { type ParseError, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { findMentions, resolveImport, spellings } from '../../agents/mentions';
import { valueAt } from '../../config/configTree';
import { appendChild, setAtPath } from '../../config/jsoncEdit';
import { phrase, wordedErrorClass } from '../../text/phrase';

/** Plain data. Paths that begin with `~/` are below the home folder, the others below the workspace. */
export interface SettingEdit {
  readonly path: string;
  /** `import`: an instruction file, in which words that import a file become its name. */
  readonly format: 'json' | 'toml' | 'frontmatter' | 'import';
  /** Down to the value; of frontmatter one key, of an import the path of the imported file. */
  readonly keys: readonly string[];
  /** What is put there. */
  readonly value?: string | boolean;
  /** Added to the list that is there. */
  readonly item?: string;
}

/** A file that cannot be edited; its message is for people. */
export class SettingEditError extends wordedErrorClass<'notEdited'>('SettingEditError') {}

function refused(path: string): SettingEditError {
  return new SettingEditError('notEdited', phrase('{0} could not be changed. Open it and edit it.', path));
}

/**
 * The file's text after the edit; the same text where it says so already. A missing file is the empty text.
 * @throws SettingEditError for a text that is not of its format, or says something else there
 */
export function editSetting(text: string, edit: SettingEdit): string {
  if (edit.format === 'json') return editJson(text, edit);
  if (edit.format === 'import') return editImport(text, edit);
  return edit.format === 'toml' ? editToml(text, edit) : editHead(text, edit);
}

function editJson(text: string, { path, keys, value, item }: SettingEdit): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const given = text.slice(mark.length);
  const source = given.trim() === '' ? '{}\n' : given;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  if (!root || errors.length > 0 || root.type !== 'object') throw refused(path);
  const old = valueAt(root, keys);
  if (old && item !== undefined) {
    if (old.type !== 'array') throw refused(path);
    if (old.children?.some((each) => each.value === item)) return text;
    return mark + appendChild(source, root, old, JSON.stringify(item));
  }
  const edited = setAtPath(source, root, keys, JSON.stringify(item === undefined ? value : [item]));
  if (edited === undefined) throw refused(path);
  return mark + edited;
}

/** A key of one table that has a header of its own, whole on its line. */
function editToml(text: string, { path, keys, value }: SettingEdit): string {
  const [key = '', ...table] = [...keys].reverse();
  const name = table.reverse();
  const part = (each: string): string => `(?:"${literal(each)}"|'${literal(each)}'|${literal(each)})`;
  const header = new RegExp(
    String.raw`^[ \t]*\[[ \t]*${name.map(part).join(String.raw`[ \t]*\.[ \t]*`)}[ \t]*\][ \t]*(?:#.*)?$`,
    'm',
  );
  const found = header.exec(text.replaceAll('\r\n', ' \n'));
  if (!found) throw refused(path);
  const start = found.index + found[0].trimEnd().length;
  const next = /^[ \t]*\[/m.exec(text.slice(start));
  const end = next ? start + next.index : text.length;
  const body = text.slice(start, end);
  const line = `${key} = ${String(value)}`;
  const known = new RegExp(String.raw`^([ \t]*)${part(key)}[ \t]*=[^\n\r]*`, 'm').exec(body);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  // What stood behind the header keeps its place.
  const edited = known
    ? body.slice(0, known.index) + known[1] + line + body.slice(known.index + known[0].length)
    : `${eol}${line}${body === '' ? eol : body}`;
  const whole = text.slice(0, start) + edited + text.slice(end);
  if (valueIn(whole, keys) !== value) throw refused(path);
  return whole;
}

/** Names the imported file where the import stands: beside the importer, else from the root, where some agents look too. */
function editImport(text: string, { path, keys: [imported = ''] }: SettingEdit): string {
  const edited = [path, ''].map((from) => withoutImport(text, from, imported)).find((each) => each !== text);
  if (edited === undefined) throw refused(path);
  return edited;
}

function withoutImport(text: string, from: string, imported: string): string {
  const lines = text.split('\n');
  for (const { target, line } of findMentions(text)) {
    const name = spellings(target).find((word) => resolveImport(from, word) === imported);
    if (name === undefined) continue;
    // Punctuation behind the path stays where it is.
    const word = `@${target}`;
    lines[line - 1] = (lines[line - 1] ?? '').replace(word, () => `\`${name}\`${target.slice(name.length)}`);
  }
  return lines.join('\n');
}

function literal(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\]/g, String.raw`\$&`);
}

function valueIn(text: string, keys: readonly string[]): unknown {
  try {
    return keys.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      parseToml(text),
    );
  } catch {
    return undefined;
  }
}

function editHead(text: string, { path, keys, value }: SettingEdit): string {
  const [key = ''] = keys;
  const head = /^(\ufeff?---[ \t]*\r?\n)([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(text);
  if (head?.index !== 0) throw refused(path);
  const [, opening = '', body = ''] = head;
  const eol = opening.endsWith('\r\n') ? '\r\n' : '\n';
  const known = new RegExp(String.raw`^${literal(key)}[ \t]*:.*$`, 'm').exec(body.replaceAll('\r\n', ' \n'));
  const line = `${key}: ${String(value)}`;
  const edited = known
    ? body.slice(0, known.index) + line + (eol === '\r\n' ? '\r' : '') + body.slice(known.index + known[0].length)
    : `${body}${line}${eol}`;
  return opening + edited + text.slice(opening.length + body.length);
}
