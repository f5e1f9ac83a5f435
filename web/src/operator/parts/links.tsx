import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { userQuery } from '../queue-queries.ts';
import { shortId } from './short-id.ts';

interface LinkProps {
  readonly id: string;
  readonly children?: ReactNode;
}

export function ApprovalLink({ id, children }: LinkProps) {
  return (
    <Link to="/operator/approvals/$approvalId" params={{ approvalId: id }}>
      {children ?? shortId(id)}
    </Link>
  );
}

export function AccountLink({ id, children }: LinkProps) {
  return (
    <Link to="/operator/accounts/$accountId" params={{ accountId: id }}>
      {children ?? shortId(id)}
    </Link>
  );
}

export function UserLink({ id, children }: LinkProps) {
  return (
    <Link to="/operator/people/$userId" params={{ userId: id }}>
      {children ?? shortId(id)}
    </Link>
  );
}

/** A person by name, read once for all places of a page; the id where they are not found, as what acts by itself. */
export function PersonLink({ id }: { readonly id: string }) {
  const { data } = useQuery({ ...userQuery(id), retry: false, staleTime: 300_000 });
  return data === undefined ? <code title={id}>{shortId(id)}</code> : <UserLink id={id}>{data.name}</UserLink>;
}
