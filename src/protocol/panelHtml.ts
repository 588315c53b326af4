import { escapeXml } from '../core/text/elements';
import { type InterfaceLanguage, LANGUAGE_ELEMENT_ID, writeLanguage } from './interfaceLanguage';

/** The values that only the host knows when it fills a webview. */
export interface PanelHtmlOptions {
  /** `webview.cspSource`. */
  readonly cspSource: string;
  /** Fresh for every load; only a script that carries it runs. */
  readonly nonce: string;
  /** Webview URI of the panel's bundled script. */
  readonly scriptUri: string;
  /** Webview URI of the panel's bundled style sheet; the codicon font lies beside it. */
  readonly styleUri: string;
  /** What the page speaks. */
  readonly language: InterfaceLanguage;
  /** Name of the page; `Context Budget` when absent. */
  readonly title?: string;
}

/**
 * The first HTML of the Budget panel and of the usage report, with a content security policy that allows its own script,
 * styles, font and pictures and nothing else. The language is data, which no policy has to allow. The script is in the
 * first HTML and deferred, because the toolkit's theme listener hangs on `window.load`. The toolkit probes for `:focus-visible` with an empty `<style>` that carries the nonce it reads from
 * `csp-nonce`; without it the probe is refused and its buttons show a focus ring after every click.
 */
export function panelHtml(options: PanelHtmlOptions): string {
  const csp = escapeXml(options.cspSource);
  const nonce = escapeXml(options.nonce);
  const title = escapeXml(options.title ?? 'Context Budget');
  const policy = `default-src 'none'; style-src ${csp} 'nonce-${nonce}'; font-src ${csp}; img-src ${csp}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${escapeXml(options.language.locale)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${escapeXml(options.styleUri)}">
<script type="application/json" id="${LANGUAGE_ELEMENT_ID}">${writeLanguage(options.language)}</script>
<script nonce="${nonce}" defer src="${escapeXml(options.scriptUri)}"></script>
</head>
<body>
<main id="root" class="cb" aria-label="${title}"></main>
</body>
</html>
`;
}
