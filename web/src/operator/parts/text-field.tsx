import type { ReactNode } from 'react';
import { Field } from '../../parts/field.tsx';

interface TextFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly lines?: number;
  readonly onChange: (value: string) => void;
}

/** Words that are typed, in one line or several. */
export function TextField({ label, name, value, hint, error = null, lines = 1, onChange }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => {
        const shared = {
          id,
          name,
          value,
          'aria-describedby': describedBy,
          'aria-invalid': invalid,
          className: 'input',
        };
        return lines === 1 ? (
          <input {...shared} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
        ) : (
          <textarea {...shared} rows={lines} onChange={(event) => onChange(event.target.value)} />
        );
      }}
    </Field>
  );
}
