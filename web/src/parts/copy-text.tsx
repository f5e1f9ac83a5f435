import { useState } from 'react';
import { useWords } from '../texts/words.tsx';
import { announce } from './announce.tsx';

/** An id that copies when it is pressed. `shown` is a shorter form of it. */
export function CopyText({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  const { t } = useWords();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    announce(t('act.copied'));
  };
  return (
    <span className="copy">
      <code title={text}>{shown}</code>{' '}
      <button type="button" className="link small" onClick={() => void copy()}>
        {copied ? t('act.copied') : t('act.copy')}
        <span className="hidden-text"> {text}</span>
      </button>
    </span>
  );
}
