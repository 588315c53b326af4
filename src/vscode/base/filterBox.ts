import * as vscode from 'vscode';

/** What a view is filtered by, and how that is changed. */
export interface Filtered {
  readonly filter: string;
  setFilter(filter: string): void;
}

/** Asks for a view's filter; what is typed is shown at once, and taken back when the box is left by Escape. */
export async function askFilter(view: Filtered, title: string, placeholder: string): Promise<void> {
  const before = view.filter;
  const box = vscode.window.createInputBox();
  box.title = title;
  box.placeholder = placeholder;
  box.value = before;
  try {
    const isAccepted = await new Promise<boolean>((resolve) => {
      box.onDidChangeValue((value) => view.setFilter(value));
      box.onDidAccept(() => resolve(true));
      box.onDidHide(() => resolve(false));
      box.show();
    });
    if (!isAccepted) view.setFilter(before);
  } finally {
    box.dispose();
  }
}
