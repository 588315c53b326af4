import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import { DisposableStore } from './disposables';
import { interfaceLanguage, loadPage, type PageName } from './language';

/** What pages say besides what is their own: a page says `ready` once it can be told. */
interface PageMessage {
  readonly type: string;
}

/** What is particular to one kind of page. */
interface PageKind<Message> {
  readonly viewType: string;
  readonly name: PageName;
  /** Guards what the page says. */
  readonly read: (value: unknown) => Message | undefined;
  /** Gets everything but `ready`. */
  readonly onMessage: (message: Message) => void;
  readonly onVisibility: (isVisible: boolean) => void;
  readonly onClosed: () => void;
}

/**
 * A page of ours as a document of the editor; at most one of its kind is open. The page keeps nothing: it gets a complete
 * snapshot when it says `ready` and whenever that changes, with a revision, so that it drops older ones.
 */
export class EditorPage<Snapshot extends object, Message extends PageMessage> extends DisposableStore {
  #panel: vscode.WebviewPanel | undefined;
  #isReady = false;
  #revision = 0;
  #snapshot: Snapshot | undefined;

  constructor(
    private readonly kind: PageKind<Message>,
    private readonly extensionUri: vscode.Uri,
    private readonly logger: Logger,
  ) {
    super();
  }

  get isVisible(): boolean {
    return this.#panel?.visible ?? false;
  }

  /** What the page was told last; undefined while it is not open. */
  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** Opens the page, or brings it to the front. */
  open(title: string): void {
    if (this.#panel) {
      if (this.#panel.title !== title) this.#load(this.#panel, title);
      this.#panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(this.kind.viewType, title, { viewColumn: vscode.ViewColumn.Active });
    const own = new DisposableStore();
    own.add(panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    own.add(panel.onDidChangeViewState(() => this.#visibilityChanged()));
    panel.onDidDispose(() => {
      own.dispose();
      this.#closed();
    });
    this.#panel = panel;
    this.#load(panel, title);
    this.#visibilityChanged();
  }

  tell(snapshot: Snapshot): void {
    if (!this.#panel) return;
    this.#snapshot = snapshot;
    this.#revision++;
    this.#send();
  }

  /** Has screen readers say `text`. */
  announce(text: string): void {
    this.#post({ type: 'announce', text });
  }

  override dispose(): void {
    this.#panel?.dispose();
    this.#closed();
    super.dispose();
  }

  /** Loads the page, which names its document and its landmark by `title` and says `ready` again. */
  #load(panel: vscode.WebviewPanel, title: string): void {
    this.#isReady = false;
    panel.title = title;
    loadPage(panel.webview, this.extensionUri, this.kind.name, { language: interfaceLanguage(), title });
  }

  #closed(): void {
    this.#panel = undefined;
    this.#isReady = false;
    this.#snapshot = undefined;
    this.kind.onClosed();
  }

  #visibilityChanged(): void {
    // VS Code drops a hidden page; it says `ready` again when it is reloaded.
    if (!this.isVisible) this.#isReady = false;
    this.kind.onVisibility(this.isVisible);
  }

  #receive(value: unknown): void {
    const message = this.kind.read(value);
    if (!message) this.logger.warn(`the page ${this.kind.name} sent a message that was refused`);
    else if (message.type === 'ready') {
      this.#isReady = true;
      this.#send();
    } else this.kind.onMessage(message);
  }

  #send(): void {
    if (this.#snapshot) this.#post({ type: 'snapshot', revision: this.#revision, snapshot: this.#snapshot });
  }

  #post(message: object): void {
    if (this.isVisible && this.#isReady) void this.#panel?.webview.postMessage(message);
  }
}
