import { describe, expect, it } from 'vitest';
import { panelHtml } from '../../../src/protocol/panelHtml';

const OPTIONS = {
  cspSource: 'https://*.vscode-cdn.net',
  nonce: 'abc123',
  scriptUri: 'https://host/main.js?a=1&b=2',
  styleUri: 'https://host/main.css',
  language: { locale: 'en', bundle: {} },
};

describe('panelHtml', () => {
  it('allows its own script, styles, font and pictures and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(panelHtml(OPTIONS))?.[1];
    expect(policy).toBe(
      "default-src 'none'; style-src https://*.vscode-cdn.net 'nonce-abc123'; font-src https://*.vscode-cdn.net; " +
        "img-src https://*.vscode-cdn.net; script-src 'nonce-abc123'",
    );
  });

  it('defers one script with the nonce, holds the language as data and has no inline script or style', () => {
    const html = panelHtml(OPTIONS);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain('<script type="application/json" id="language">');
    expect(html).toContain('<script nonce="abc123" defer src="https://host/main.js?a=1&amp;b=2"></script>');
    expect(html).not.toMatch(/\sstyle="|<style|\son[a-z]+="/);
  });

  it('cannot be broken out of by a value', () => {
    const html = panelHtml({
      ...OPTIONS,
      language: { locale: '"><script>', bundle: { '</script>': '<script>' } },
      styleUri: `'"<x>`,
    });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<x>');
  });
});
