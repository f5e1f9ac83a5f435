import { useQuery } from '@tanstack/react-query';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList } from '../../parts/panel.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { type UserDetail, userQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { ROLES, type Role, roleLabel } from './role-words.ts';

/** The page may be old: while the dialog is open its person is read anew, and it says where the roles have changed. */
const READ_AGAIN_MS = 5_000;

interface ChangeRolesProps {
  readonly user: UserDetail;
  readonly onClose: () => void;
}

/** Gives somebody roles and takes them away. They are given whole, so the API is told all of them. */
export function ChangeRoles({ user, onClose }: ChangeRolesProps) {
  const { o } = useOperatorWords();
  useQuery({ ...userQuery(user.userId), refetchOnMount: 'always', refetchInterval: READ_AGAIN_MS });
  const draft = useFormDraft(`roles ${user.userId}`, { roles: user.roles.join(' ') });
  // As they were when it was opened: what somebody else changes meanwhile is not taken back unseen.
  const before = ROLES.filter((role) => draft.start.roles.split(' ').includes(role));
  const chosen = ROLES.filter((role) => draft.form.roles.split(' ').includes(role));
  const toggle = (role: Role, on: boolean) =>
    draft.change({ roles: ROLES.filter((one) => (one === role ? on : chosen.includes(one))).join(' ') });
  const list = (roles: readonly Role[]) => roles.map((role) => roleLabel(role, o)).join(', ') || '–';
  const given = chosen.filter((role) => !before.includes(role));
  const taken = before.filter((role) => !(chosen as readonly Role[]).includes(role));
  return (
    <ActDialog
      name={`roles ${user.userId}`}
      title={o('roles.ask', { name: user.name })}
      act={o('roles.act')}
      danger={given.length > 0}
      blocked={chosen.length === 0 || (given.length === 0 && taken.length === 0)}
      changed={draft.start.roles !== user.roles.join(' ')}
      draft={draft}
      onClose={onClose}
      send={async (reason, header) => {
        const params = { path: { id: user.userId }, header };
        const body = { roles: [...chosen], rolesBefore: [...before], reason };
        await dataOf(exchange.PATCH('/v1/operator/users/{id}', { params, body }));
        return o('roles.said', { name: user.name });
      }}
    >
      <p className="dim small">{o('roles.happens')}</p>
      <fieldset className="checks">
        <legend>{o('person.roles')}</legend>
        {ROLES.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              name={role}
              checked={chosen.includes(role)}
              onChange={(event) => toggle(role, event.target.checked)}
            />{' '}
            {roleLabel(role, o)}
          </label>
        ))}
      </fieldset>
      <FactList
        rows={[
          [o('roles.given'), list(given)],
          [o('roles.taken'), list(taken)],
        ]}
      />
    </ActDialog>
  );
}
