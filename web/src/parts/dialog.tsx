import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useWords } from '../texts/words.tsx';
import { onEscape } from './on-escape.ts';

interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: number;
}

/** A window over the page, one over the other where there are several. Its scroll lock would write a style of its own, which the policy of the page forbids: CSS does it. */
export function Dialog({ title, opened, onClose, children, size = 520 }: DialogProps) {
  const { t } = useWords();
  const close = useEffectEvent(onClose);
  useEffect(() => (opened ? onEscape(() => close(), window) : undefined), [opened]);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      title={title}
      size={size}
      centered
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      {children}
    </Modal>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** What it does, with its number: never "OK". */
  readonly act: string;
  readonly keep: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** What happens, in numbers, before it happens. Focus begins on the safe button. */
export function ConfirmDialog({
  title,
  opened,
  onClose,
  onConfirm,
  act,
  keep,
  danger = false,
  busy = false,
  children,
}: ConfirmProps) {
  return (
    <Dialog title={title} opened={opened} onClose={onClose}>
      <div className="dialog-body">{children}</div>
      <div className="dialog-acts">
        <button type="button" className="button" data-autofocus onClick={onClose}>
          {keep}
        </button>
        <button
          type="button"
          className={danger ? 'button danger' : 'button primary'}
          disabled={busy}
          onClick={onConfirm}
        >
          {act}
        </button>
      </div>
    </Dialog>
  );
}
