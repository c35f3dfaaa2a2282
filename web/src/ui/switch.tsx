import { type ReactNode, useId } from 'react';

interface Props {
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** An on/off setting that applies immediately. */
export function Switch({ checked, disabled = false, onChange, children }: Props) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-8 items-center gap-2.5 font-medium">
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
