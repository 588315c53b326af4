/**
 * Reads the text of a git config file (git-config(1), "Syntax"), so that what a repository says of its own format is
 * known without git having read the file. Includes are not followed.
 */

/** The subsection keeps its case, the section does not. */
const SECTION = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\]/;

const KEY = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*/;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/**
 * Last value by name, `section.key` or `section.sub.key`, in lower case but for the subsection. A key without `=` is
 * `true`. `undefined` when git would call the file bad.
 */
export function parseGitConfig(text: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  let section = '';
  let rest = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  for (;;) {
    rest = rest.replace(/^(?:\s+|[#;][^\n]*)+/, '');
    if (rest === '') return values;
    const header = SECTION.exec(rest);
    if (header) {
      const [whole, name = '', sub] = header;
      section = `${name.toLowerCase()}.${sub === undefined ? '' : `${sub.replace(/\\(.)/gs, '$1')}.`}`;
      rest = rest.slice(whole.length);
      continue;
    }
    const key = KEY.exec(rest);
    if (!key) return undefined;
    rest = rest.slice(key[0].length);
    const value = key[2] === '=' ? readValue(rest) : { value: 'true', length: 0 };
    if (!value || (key[2] !== '=' && !/^(?:\n|$)/.test(rest))) return undefined;
    values.set(`${section}${(key[1] ?? '').toLowerCase()}`, value.value);
    rest = rest.slice(value.length);
  }
}

/** A value up to the end of its line; `undefined` when a quote or an escape of it is bad. */
function readValue(text: string): { readonly value: string; readonly length: number } | undefined {
  let value = '';
  /** Blanks count when something follows them. */
  let blanks = '';
  let isQuoted = false;
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n') return isQuoted ? undefined : { value, length: at };
    if (!isQuoted && (char === '#' || char === ';')) break;
    if (!isQuoted && (char === ' ' || char === '\t')) {
      if (value !== '') blanks += char;
      continue;
    }
    if (char === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    let kept = char;
    if (char === '\\') {
      const escaped = text[++at] ?? '';
      if (escaped === '\n') continue;
      const meant = escaped === '\\' || escaped === '"' ? escaped : ESCAPES[escaped];
      if (meant === undefined) return undefined;
      kept = meant;
    }
    value += blanks + kept;
    blanks = '';
  }
  if (isQuoted) return undefined;
  const end = text.indexOf('\n', at);
  return { value, length: end < 0 ? text.length : end };
}
