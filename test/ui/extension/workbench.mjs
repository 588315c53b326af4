// The workbench as a page object: what a person sees and does, by roles, names and VS Code's own stable ids.

import { limitMs, tryMs, until } from '../../support/until.mjs';

/** The map follows what is worked on after a second; then a report is made. */
const FOLLOWS_MS = 1000;
const reportMs = () => limitMs() / 40;

const STATUS_ITEM = '#context-budget\\.context-budget\\.contextBudget\\.status';

export class Workbench {
  #page;
  #url;
  /** Which of the status bar item's texts was shown when the last command was run. */
  #shownBefore = 0;

  constructor(page, url) {
    this.#page = page;
    this.#url = url;
  }

  get page() {
    return this.#page;
  }

  get #hovers() {
    return this.#page.locator('.workbench-hover:visible');
  }

  /** The status bar item. */
  get status() {
    return this.#page.locator(STATUS_ITEM);
  }

  /** The Budget panel's own document. */
  get panel() {
    return this.#page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** The document of a webview that has an element with this text. */
  async frameWith(selector, text) {
    const { value } = await until(`a webview says ${text}`, async () => {
      for (const frame of this.#page.frames()) {
        // A frame may go while it is looked at.
        const found = await frame
          .locator(selector, { hasText: text })
          .count()
          .catch(() => 0);
        if (found > 0) return frame;
      }
      return undefined;
    });
    return value;
  }

  /** Opens a folder (none: an empty window) and waits for the workbench. */
  async open(folder) {
    const query = folder ? `folder=${encodeURIComponent(folder)}` : 'ew=true';
    await this.#page.goto(`${this.#url}/?${query}`);
    await this.#page.locator('.monaco-workbench').waitFor();
    this.#shownBefore = 0;
  }

  /** Every text that the status bar item has shown since the page was loaded: a note is there for seconds only. */
  #statusTexts() {
    return this.#page.evaluate((item) => {
      if (!window.statusTexts) {
        window.statusTexts = [];
        const look = () => {
          const text = document.querySelector(item)?.textContent;
          if (text && text !== window.statusTexts.at(-1)) window.statusTexts.push(text);
        };
        const options = { subtree: true, childList: true, characterData: true };
        new MutationObserver(look).observe(document.querySelector('.part.statusbar'), options);
        look();
      }
      return window.statusTexts;
    }, STATUS_ITEM);
  }

  /** Waits until the status bar item has shown `wanted`, a text or an expression, since the last command was run; gives that text. */
  async noted(wanted) {
    const { value } = await until(`the status bar says ${wanted}`, async () =>
      (await this.#statusTexts())
        .slice(Math.max(0, this.#shownBefore))
        .find((text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))),
    );
    return value;
  }

  /** Shows the panel by its icon in the activity bar, unless it is there already. */
  async showPanel() {
    const icon = this.#page.locator('.activitybar .action-item').filter({
      has: this.#page.locator('.action-label[aria-label^="Context Budget"]'),
    });
    await icon.waitFor();
    if (
      (await icon.getAttribute('aria-expanded')) !== 'true' &&
      !(await icon.getAttribute('class')).includes('checked')
    )
      await icon.click();
    await this.panel.getByRole('main').waitFor();
  }

  /** Shows the panel and the Repo Map below it, which is folded at first. */
  async showViews() {
    await this.showPanel();
    if ((await this.mapHeader.getAttribute('aria-expanded')) !== 'true') await this.mapHeader.click();
    await this.#page.locator('.pane-header.expanded[aria-label^="Repo Map"]').waitFor();
  }

  get #meter() {
    return this.panel.getByRole('meter', { name: 'Payload', exact: true });
  }

  /** Tokens used and the cap, as the panel's meter tells a screen reader; undefined while it shows an estimate. */
  async panelTokens() {
    const text = await this.#meter.getAttribute('aria-valuetext');
    return readTokens(text ?? '');
  }

  /** The same from the status bar item's spoken label. */
  async statusTokens() {
    return readTokens((await this.status.locator('a').first().getAttribute('aria-label')) ?? '');
  }

  /** Waits until the panel shows an exact count, and gives it. */
  async exactTokens() {
    await this.#meter.waitFor();
    return (await until('the panel shows an exact count', () => this.panelTokens())).value;
  }

  /** Waits until panel and status bar show the same numbers: each is drawn at its own time, and a note may be in the way. */
  async sameTokens() {
    await until('panel and status bar show the same', async () => {
      const [shown, told] = [await this.exactTokens(), await this.statusTokens()];
      return told && shown.used === told.used && shown.cap === told.cap;
    });
  }

  /** Waits until the panel shows what the command line counts: it hears of a change in the folder a moment later. */
  async sameAsCli(cli) {
    let counted = '';
    // Each try is a process.
    await this.settledTokens();
    await until(
      'the panel shows the number of the command line',
      async () => {
        const { used } = await this.exactTokens();
        const { budget, sections } = JSON.parse(cli('budget', '--json'));
        counted = `panel ${used}, command line ${budget.tokens}: ${sections.map(({ id, tokens }) => `${id} ${tokens}`).join(', ')}`;
        return budget.tokens === used;
      },
      () => counted,
    );
  }

  /** Used tokens that have stayed the same for longer than the map takes to follow what is worked on (one second). */
  async settledTokens() {
    const { value } = await until('the count rests', async () => {
      const { used } = await this.exactTokens();
      return (await this.#rests(FOLLOWS_MS + reportMs())) && (await this.panelTokens())?.used === used && used;
    });
    return value;
  }

  /** Whether the meter says the same for so long. The page itself watches it: to ask again and again takes its processor. */
  #rests(ms) {
    const watch = (meter, restMs) =>
      new Promise((resolve) => {
        const end = (isSame) => {
          observer.disconnect();
          resolve(isSame);
        };
        const observer = new MutationObserver(() => end(false));
        observer.observe(meter, { attributeFilter: ['aria-valuetext'] });
        setTimeout(() => end(meter.isConnected), restMs);
      });
    // What is drawn anew under it has not rested.
    return this.#meter.evaluate(watch, ms).catch(() => false);
  }

  /** The row of a section, by its name. */
  row(name) {
    return this.panel.getByRole('region', { name: 'Sections' }).getByRole('button', { name: new RegExp(`^${name}`) });
  }

  /** Opens the row of a section with its details. What is drawn again under a click may miss it. */
  async openRow(name) {
    const details = this.panel.locator(`[data-key="details ${name}"]`);
    for (const button of [this.row(name), details])
      await until(`${name} is open`, async () => {
        if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
        return (await button.getAttribute('aria-expanded')) === 'true';
      });
  }

  /** Rows of the Repo Map view, by what a screen reader says of them. */
  mapRow(name) {
    return this.map.getByRole('treeitem', { name });
  }

  /** Rows of the Observations view, by what a screen reader says of them. */
  observationRow(name) {
    return this.observations.getByRole('treeitem', { name });
  }

  /** The Observations view with its header. */
  get observations() {
    const header = this.#page.locator('.pane-header[aria-label^="Observations"]');
    return this.#page.locator('.pane').filter({ has: header });
  }

  get mapHeader() {
    return this.#page.locator('.pane-header[aria-label^="Repo Map"]');
  }

  /** The Repo Map view with its header. */
  get map() {
    return this.#page.locator('.pane').filter({ has: this.mapHeader });
  }

  /** Drags the side bar's edge until it is so wide, in pixels. */
  async setSideBarWidth(width) {
    const sideBar = this.#page.locator('.part.sidebar');
    const size = async () => Math.round((await sideBar.boundingBox()).width);
    const { x, y, width: before } = await sideBar.boundingBox();
    await this.#page.mouse.move(x + before, y + 300);
    await this.#page.mouse.down();
    await this.#page.mouse.move(x + width, y + 300, { steps: 4 });
    await this.#page.mouse.up();
    await until(`the side bar is ${width} wide`, async () => Math.abs((await size()) - width) <= 2);
  }

  /** Scrolls the Repo Map down until a row is there. */
  scrollMapTo(row) {
    return this.scrollTo(this.map, row);
  }

  /** Scrolls a view down, or up by negative pixels, until a row is there: a tree draws only the rows that fit. */
  async scrollTo(view, row, pixels = 2000) {
    await until('the row is drawn', async () => {
      await this.wheel(view, pixels);
      return (await row.count()) > 0;
    });
  }

  /**
   * Clicks a row at the end of a view, which may be drawn again, longer, between the turn of the wheel and the click.
   * @param above a row that it stands below, opened as often as the view is drawn with it closed
   */
  clickLast(view, row, above = undefined) {
    const click = (which) =>
      which.click({ timeout: tryMs() }).then(
        () => true,
        () => false,
      );
    // It may be gone by the time that it is asked.
    const isFolded = async (which) =>
      (await which.count()) > 0 &&
      which.getAttribute('aria-expanded', { timeout: tryMs() }).then(
        (value) => value === 'false',
        () => false,
      );
    return until('the last row is clicked', async () => {
      await this.wheel(view, 20_000);
      if ((await row.count()) > 0) return await click(row);
      if (above && (await isFolded(above))) await click(above);
      return false;
    });
  }

  /** Turns the wheel over a view without a pointer, which would call up a row's hover that takes the wheel. */
  wheel(view, pixels) {
    return view.locator('.monaco-list-rows').first().dispatchEvent('wheel', { deltaY: pixels, wheelDeltaY: -pixels });
  }

  /** Chooses an entry of a row's native menu. */
  async chooseFor(row, entry) {
    // A tooltip of another row may lie over this one.
    await this.parkPointer();
    await row.click({ button: 'right' });
    const item = this.#page.locator('.monaco-menu').getByRole('menuitem', { name: entry, exact: true });
    await item.waitFor();
    // A menu ignores the mouse right after it opened, so the entry is chosen by keyboard.
    await item.hover();
    await this.#page.keyboard.press('Enter');
  }

  /**
   * Puts the pointer where nothing has a hover, outside the page, and waits until the last one is gone. Anywhere inside,
   * whatever the editor draws there (an editor's hints, a notification) may show another one. The hover of a row that was
   * drawn again below it hears nothing of the pointer any more: a key that means nothing closes it.
   */
  async parkPointer() {
    await this.#page.mouse.move(-10, -10);
    await until('no hover is shown', async () => {
      if ((await this.#hovers.count()) === 0) return true;
      await this.#page.keyboard.press('ScrollLock');
      return false;
    });
  }

  /**
   * Points at `target` until `use` has done with its hover what it wants within the time that it is given. What changes
   * under the pointer closes its hover until the pointer comes again.
   */
  async hoverUntil(target, use) {
    await until('its hover is shown', async () => {
      await this.parkPointer();
      const ms = tryMs();
      const used = target.hover({ timeout: ms }).then(() => use(ms));
      return used.then(
        () => true,
        () => false,
      );
    });
  }

  /** Fills the open input box or list and accepts it. */
  async answer(text) {
    const box = this.#page.locator('.quick-input-widget input[type=text]').first();
    await box.waitFor({ state: 'visible' });
    await box.fill(text);
    await this.#page.keyboard.press('Enter');
  }

  /** Opens a file of the folder by its name, once the editor's search finds it. */
  async openFile(name) {
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
    await this.#choose('Control+P', name, row);
    await this.page.locator('.editor-instance').first().waitFor();
  }

  /** Runs a command by its exact title, once the palette offers it: some are there only while there is something to do. */
  async run(title) {
    this.#shownBefore = (await this.#statusTexts()).length - 1;
    await this.#choose('F1', `>${title}`, this.#listRow(title));
  }

  /** Opens a list by a key and types, until it offers a row, and clicks that; what takes the focus meanwhile closes the list. */
  async #choose(key, text, row) {
    const box = this.#page.locator('.quick-input-widget input[type=text]').first();
    await until(`${text} is offered`, async () => {
      // An open list stays as it was; one that was just closed takes no text.
      await this.#page.keyboard.press(key);
      const isThere = await box
        .fill(text, { timeout: tryMs() })
        .then(() => row.click({ timeout: tryMs() }))
        .then(
          () => true,
          () => false,
        );
      if (!isThere) await this.#page.keyboard.press('Escape');
      return isThere;
    });
  }

  /** Presses a button of the modal question that is open, or about to be. */
  async choose(button) {
    await this.#page.locator('.monaco-dialog-box').getByRole('button', { name: button, exact: true }).click();
  }

  /** Clicks the entry of an open QuickPick with exactly this label. */
  async pick(label) {
    await this.#listRow(label).click();
  }

  /** The list is sorted fuzzily: only the row with exactly this label is meant. */
  #listRow(label) {
    return this.#page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: this.#page.getByText(label, { exact: true }) })
      .first();
  }

  /**
   * Waits until VS Code has written something to the browser's storage, where it keeps the state of pages: one
   * that is left before that loses it. Backslashes do not count, since texts lie in texts there.
   */
  async stored(text) {
    const isStored = (wanted) =>
      indexedDB.databases().then((databases) =>
        Promise.all(
          databases.map(
            ({ name }) =>
              new Promise((resolve, reject) => {
                const opening = indexedDB.open(name);
                opening.onerror = () => reject(opening.error);
                opening.onsuccess = () => {
                  const database = opening.result;
                  const finish = (isFound) => {
                    database.close();
                    resolve(isFound);
                  };
                  if (!database.objectStoreNames.contains('ItemTable')) return finish(false);
                  const reading = database.transaction('ItemTable').objectStore('ItemTable').getAll();
                  reading.onerror = () => finish(false);
                  reading.onsuccess = () =>
                    finish(reading.result.some((value) => String(value).replaceAll('\\', '').includes(wanted)));
                };
              }),
          ),
        ).then((found) => found.includes(true)),
      );
    await until(`${text} is stored`, () => this.#page.evaluate(isStored, text));
  }

  clearClipboard() {
    return this.writeClipboard('');
  }

  /** The focus of an editor that was closed is nowhere, and a page without it may not touch the clipboard. */
  async writeClipboard(text) {
    await this.#page.evaluate((given) => {
      window.focus();
      return navigator.clipboard.writeText(given);
    }, text);
  }

  /** Waits for something on the clipboard. */
  async clipboard() {
    const read = () => this.#page.evaluate(() => navigator.clipboard.readText());
    return (await until('something was copied', async () => (await read()) || undefined)).value;
  }
}

/** `6,120 of 7,500 tokens…` → numbers; an estimate (`≈`) gives undefined. */
function readTokens(text) {
  const match = /([\d,]+) of ([\d,]+) tokens/.exec(text);
  if (!match || text.includes('≈')) return undefined;
  const [used, cap] = match.slice(1).map((digits) => Number(digits.replaceAll(',', '')));
  return { used, cap };
}
