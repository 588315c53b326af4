import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import { type ComponentChildren, h, type JSX } from 'preact';

/** What our buttons need of the toolkit's. */
interface ButtonProps {
  readonly onClick: () => void;
  /** Accessible name of a button that shows only an icon. */
  readonly label?: string;
  readonly title?: string;
  readonly hasPopup?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Defines the toolkit's elements; call it once, before the first render. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}

/** The panel's primary button: the toolkit's `vscode-button`, in the panel's size (`styles/actions.css`). */
export function Button({ onClick, label, title, hasPopup, class: className, children }: ButtonProps): JSX.Element {
  return h(
    'vscode-button',
    {
      appearance: 'primary',
      class: className === undefined ? 'btn' : `btn ${className}`,
      onClick,
      ...(title === undefined ? {} : { title }),
      ...(label === undefined ? {} : { 'aria-label': label }),
      ...(hasPopup ? { 'aria-haspopup': 'menu' } : {}),
    },
    children,
  );
}
