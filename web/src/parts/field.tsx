import { type ReactNode, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  readonly children: (ids: {
    readonly id: string;
    readonly describedBy: string | undefined;
    readonly invalid: boolean;
  }) => ReactNode;
}

/** Label, hint, error, field, in this order. */
export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? null : `${id}-hint`, error === null ? null : `${id}-error`].filter(Boolean);
  return (
    <div className={error === null ? 'field' : 'field bad'}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {children({ id, describedBy: described.length > 0 ? described.join(' ') : undefined, invalid: error !== null })}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  readonly onChange: (value: string) => void;
  /** Arrow keys: one step up or down. */
  readonly onStep?: (direction: 1 | -1) => void;
  readonly name: string;
}

/** A decimal with its unit: text, since money is no number of the browser. */
export function NumberField({ label, unit, value, hint, error, onChange, onStep, name }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <span className="with-unit">
          <input
            id={id}
            name={name}
            className="input number"
            inputMode="decimal"
            autoComplete="off"
            value={value}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (onStep === undefined || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
              event.preventDefault();
              onStep(event.key === 'ArrowUp' ? 1 : -1);
            }}
          />
          <span className="unit">{unit}</span>
        </span>
      )}
    </Field>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

export function SelectField<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Field label={label}>
      {({ id }) => (
        <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value as T)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** One of a few, side by side. */
export function Segments<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
