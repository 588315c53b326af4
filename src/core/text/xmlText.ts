const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML 1.0 forbids even as references (§2.2), lone surrogates included. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `text` as the content of an XML 1.0 element; forbidden characters are left out. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}

/** A start tag, or an empty element; `null` and `undefined` attributes are left out. Names must be XML names. */
export function xmlTag(name: string, attributes: Readonly<Record<string, unknown>>, form: 'open' | 'empty'): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${escapeXml(String(value)).replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)}"`,
    );
  return `<${name}${written.join('')}${form === 'empty' ? '/' : ''}>`;
}
