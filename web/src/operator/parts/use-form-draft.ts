import { useState } from 'react';
import { draftOf } from './form-draft.ts';

/**
 * What somebody has typed into the form of an act, and what the form held when it was opened: both are kept while they sign in once more, and
 * forgotten when they close it. Only what they have changed since is theirs: the rest may be older than what somebody else has done meanwhile.
 */
export function useFormDraft<T extends Readonly<Record<string, string>>>(name: string, initial: T) {
  const key = `form:${name}`;
  const [{ start, form }, setDraft] = useState(() => draftOf(sessionStorage.getItem(key), initial));
  return {
    form,
    start,
    change: (part: Partial<T>) => setDraft((before) => ({ ...before, form: { ...before.form, ...part } })),
    keep: () => sessionStorage.setItem(key, JSON.stringify({ start, form })),
    forget: () => sessionStorage.removeItem(key),
  };
}
