/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

function decodeText(text: string): string {
  if (/&(?!(?:lt|gt|amp|quot|#\d+);)/.test(text)) throw new Error(`bad reference in ${text}`);
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  const rest = source.replace(/\s+([\w:-]+)="([^"<]*)"/g, (_, name: string, value: string) => {
    if (name in attributes) throw new Error(`attribute ${name} twice`);
    attributes[name] = decodeText(value);
    return '';
  });
  if (rest.trim() !== '') throw new Error(`not attributes: ${rest}`);
  return attributes;
}

/** A strict reader of the XML that payloads use: no comments, no CDATA; throws when the document is not well-formed. */
export function readXml(document: string): XmlElement {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(head)) throw new Error('no declaration');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const stack: XmlElement[] = [root];
  for (const [, text = '', close, open, attributes = '', empty] of document
    .slice(head.length)
    .matchAll(/([^<]*)(?:<\/([\w:-]+)>|<([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)(\/)?>|$)/g)) {
    const top = stack.at(-1)!;
    if (text.includes(']]>')) throw new Error('bare ]]>');
    top.text += decodeText(text);
    if (close !== undefined && stack.pop()?.name !== close) throw new Error(`${close} closes ${top.name}`);
    if (open === undefined) continue;
    const element: XmlElement = { name: open, attributes: readAttributes(attributes), children: [], text: '' };
    top.children.push(element);
    if (empty === undefined) stack.push(element);
  }
  const [only, ...others] = root.children;
  if (stack.length !== 1 || !only || others.length > 0 || root.text.trim() !== '') throw new Error('not one document');
  return only;
}
