/** The form of an act. */
export interface FormDraft<T> {
  /** What it held when it was opened. */
  readonly start: T;
  readonly form: T;
}

/** @param kept JSON of the draft that its person left; null for a form that is opened now, which holds `initial` */
export function draftOf<T extends Readonly<Record<string, string>>>(kept: string | null, initial: T): FormDraft<T> {
  const left = kept === null ? {} : (JSON.parse(kept) as Partial<FormDraft<Partial<T>>>);
  return { start: { ...initial, ...left.start }, form: { ...initial, ...left.form } };
}
