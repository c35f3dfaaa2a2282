import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

/** A menu behind a button. Not modal: the page's CSP forbids the inline style that scroll locking needs. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  onSelect: () => void;
  children: ReactNode;
  tone?: 'red';
  disabled?: boolean;
}

export function MenuItem({ onSelect, children, tone, disabled = false }: ItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" data-tone={tone} disabled={disabled} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  );
}

interface ChoiceProps {
  chosen: boolean;
  onSelect: () => void;
  children: ReactNode;
}

/** One of several, exactly one of which is on. */
export function MenuChoice({ chosen, onSelect, children }: ChoiceProps) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item" checked={chosen} onSelect={onSelect}>
      {children}
      {chosen && <Check aria-hidden size={15} className="ml-auto" />}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-heading">{children}</DropdownMenu.Label>;
}

export function MenuDivider() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
