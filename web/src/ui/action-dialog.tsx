import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  /** The label of the confirming button: a verb. */
  action: string;
  icon?: LucideIcon;
  /** The action removes something. */
  isDestructive?: boolean;
  isDisabled?: boolean;
  isPending?: boolean;
  /** Why it failed. */
  error?: string | null;
  wide?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog for one action: its fields, why it failed, and Cancel beside the button. Enter submits it. */
export function ActionDialog(props: Props) {
  const { title, action, icon: Icon, isDestructive = false, isDisabled, isPending, error, wide } = props;
  const { onSubmit, onClose, children } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide={wide ?? false}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            form={form}
            className="button"
            data-kind={isDestructive ? undefined : 'primary'}
            data-tone={isDestructive ? 'red' : undefined}
            disabled={isDisabled || isPending}
          >
            {Icon && <Icon aria-hidden size={15} />} {action}
          </button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled && !isPending) onSubmit();
        }}
      >
        {children}
        {error && (
          <p role="alert" className="notice" data-tone="red">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  );
}
