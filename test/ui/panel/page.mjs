/** The panel in a browser page with a fake host, and what the checks read from it. */
import { writeFile } from 'node:fs/promises';

/** Runs in the page before its scripts: a host that keeps what it is told, and a record of CSP violations. */
function fakeHost() {
  window.posted = [];
  window.isReady = new Promise((resolve) => {
    window.tellReady = resolve;
  });
  window.cspViolations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.cspViolations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      window.posted.push(message);
      if (message.type === 'ready') window.tellReady();
    },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null'),
    setState: (state) => {
      // A page that is left would write over what the next one begins with.
      if (!window.isLeft) sessionStorage.setItem('state', JSON.stringify(state));
    },
  });
}

export class PanelPage {
  revision = 0;
  #devTools;

  /** `kind`: the panel (`main`), the usage report or the page of a session. */
  constructor(page, server, kind) {
    this.page = page;
    this.server = server;
    this.kind = kind;
    this.language = undefined;
    this.errors = [];
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  static async open(context, server, kind = 'main') {
    const page = await context.newPage();
    await page.addInitScript(fakeHost);
    // Storage is the panel's only on a page of its origin.
    await page.goto(server.emptyUrl);
    return new this(page, server, kind);
  }

  url(theme) {
    return this.server.url(theme, this.kind, this.language);
  }

  /** Loads the panel afresh and shows one state. */
  async show(theme, { snapshot, ui }, width = 340) {
    await this.resize(width);
    await this.page.evaluate(
      (state) => {
        window.isLeft = true;
        sessionStorage.setItem('state', state);
      },
      JSON.stringify(ui ?? null),
    );
    await this.page.goto(this.url(theme));
    await this.send(snapshot);
  }

  async resize(width, height = 900) {
    const now = this.page.viewportSize();
    if (now?.width !== width || now.height !== height) await this.page.setViewportSize({ width, height });
  }

  /** Sends a snapshot and waits until it is drawn. */
  async send(snapshot, revision) {
    this.revision = revision ?? this.revision + 1;
    await this.post({ type: 'snapshot', revision: this.revision, snapshot });
  }

  /** Sends a message to the panel once it is ready, and waits until it and the icons are drawn. */
  async post(message) {
    await this.page.evaluate(
      async (json) => {
        await window.isReady;
        await document.fonts.load('16px codicon');
        await new Promise((resolve) => {
          window.addEventListener('message', () => requestAnimationFrame(() => requestAnimationFrame(resolve)), {
            once: true,
          });
          window.postMessage(JSON.parse(json), '*');
        });
      },
      // As VS Code does; the browser's driver would take longer for an object than the panel takes to show it.
      JSON.stringify(message),
    );
  }

  /** Resolves once what changed was drawn: rows that come into view are laid out a frame later. */
  drawn() {
    return this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  /** Writes a picture of the whole page, by the browser's own quicker way. */
  async picture(file) {
    await this.drawn();
    this.#devTools ??= await this.page.context().newCDPSession(this.page);
    const { cssContentSize } = await this.#devTools.send('Page.getLayoutMetrics');
    const { data } = await this.#devTools.send('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: true,
      optimizeForSpeed: true,
      clip: { ...cssContentSize, scale: 1 },
    });
    await writeFile(file, data, 'base64');
  }

  async axe() {
    return this.page.evaluate(async () => {
      if (!('axe' in window))
        await new Promise((resolve, reject) => {
          const { nonce } = document.querySelector('script[nonce]');
          const script = Object.assign(document.createElement('script'), {
            nonce,
            src: '/axe.js',
            onload: resolve,
            onerror: reject,
          });
          document.head.append(script);
        });
      const result = await window.axe.run(document, { resultTypes: ['violations'] });
      return result.violations.flatMap((violation) =>
        violation.nodes.map(
          (node) => `${violation.id}: ${node.html.slice(0, 140)} ${node.failureSummary?.slice(0, 200)}`,
        ),
      );
    });
  }

  /** Visible elements that reach past the right or left edge, unless something clips them inside it. */
  async overflowing() {
    return this.page.evaluate(() => {
      const edge = document.documentElement.clientWidth;
      const isClipped = (element) => {
        for (let box = element.parentElement; box && box.id !== 'root'; box = box.parentElement) {
          if (getComputedStyle(box).overflowX !== 'visible' && box.getBoundingClientRect().right <= edge + 0.5)
            return true;
        }
        return false;
      };
      const past = [...document.querySelectorAll('#root *')].filter((element) => {
        const rect = element.getBoundingClientRect();
        if (rect.width === 0 || element.closest('.sr')) return false;
        return (rect.right > edge + 0.5 || rect.left < -0.5) && !isClipped(element);
      });
      const sideways = document.documentElement.scrollWidth > edge ? ['the page scrolls sideways'] : [];
      return [
        ...sideways,
        ...past.map((element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`),
      ];
    });
  }

  posted(type) {
    return this.page.evaluate((wanted) => window.posted.filter((message) => message.type === wanted), type);
  }

  /** The focused element, short: a row's id, an element's id, else its text. */
  focused() {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      return (
        element?.dataset.row ?? (element?.id || element?.getAttribute('aria-label') || element?.textContent?.trim())
      );
    });
  }

  rows() {
    return this.page.$$eval('[data-row]', (rows) => rows.map((row) => row.dataset.row));
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.textContent);
  }
}
