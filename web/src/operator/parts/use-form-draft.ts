import { useState } from 'react';

/** What somebody has typed into the form of an act: kept while they sign in once more, and forgotten when they close it. */
export function useFormDraft<T extends Readonly<Record<string, string>>>(name: string, initial: T) {
  const key = `form:${name}`;
  const [form, setForm] = useState<T>(() => ({ ...initial, ...kept<T>(key) }));
  return {
    form,
    change: (part: Partial<T>) => setForm((before) => ({ ...before, ...part })),
    keep: () => sessionStorage.setItem(key, JSON.stringify(form)),
    forget: () => sessionStorage.removeItem(key),
  };
}

function kept<T>(key: string): Partial<T> {
  const text = sessionStorage.getItem(key);
  return text === null ? {} : (JSON.parse(text) as Partial<T>);
}
