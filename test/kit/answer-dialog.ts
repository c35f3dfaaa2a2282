import type { Key, Terminal } from './terminal.ts';
import { waitFor } from './wait.ts';

/** Answers a dialog with a key. A new dialog doesn't take keys yet, so the key is pressed until the dialog is gone. */
export async function answerDialog(terminal: Terminal, dialog: RegExp, key: Key): Promise<void> {
  await terminal.waitForScreen(dialog);
  const isGone = () =>
    terminal
      .waitForScreen((screen) => !dialog.test(screen), { timeout: 3000 })
      .then(
        () => true,
        () => false,
      );
  await waitFor(
    async () => {
      await terminal.press(key);
      return isGone();
    },
    { what: `the dialog to take ${key}`, timeout: 60_000, context: terminal.lastScreen },
  );
}
