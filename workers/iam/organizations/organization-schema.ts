import { z } from '@hono/zod-openapi';
import type { PartnerOrganization } from '../../../data/partner/organizations.ts';
import { PARTNER_ROLES, PARTNER_STATES } from '../../../domain/partner/partner-organization.ts';
import { CRD_NUMBER, SEC_REGISTRATION_NUMBER } from '../../../domain/partner/registration-verifier.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';

const NAME_LENGTH_MAX = 200;

const common = {
  name: lineOfText(NAME_LENGTH_MAX).openapi({ example: 'Northwind ATS LLC' }),
  contact_email: z.email().max(254),
};

/** Spelt as partners spell their fields: the number of a transfer agent has its name from the specification. */
export const ApplicationBody = z.discriminatedUnion('role', [
  z.strictObject({
    ...common,
    role: z.literal('cross_lister'),
    crd_number: z
      .string()
      .regex(CRD_NUMBER, 'must be up to 10 digits, the first no zero')
      .openapi({ description: 'Of its broker-dealer.', example: '123456' }),
  }),
  z.strictObject({
    ...common,
    role: z.literal('transfer_agent'),
    sec_registration_number: z
      .string()
      .regex(SEC_REGISTRATION_NUMBER, 'must be 84- or 85- and five digits, such as 84-01234')
      .openapi({ example: '84-01234' }),
  }),
  z.strictObject({ ...common, role: z.literal('bridge_tenant') }),
]);

export const OrganizationView = z
  .object({
    organization_id: z.uuid(),
    name: z.string(),
    role: z.enum(PARTNER_ROLES),
    state: z.enum(PARTNER_STATES),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it was refused or suspended, or that another has lost its number.' }),
    crd_number: z.string().nullable(),
    sec_registration_number: z.string().nullable(),
    verified_at: z.iso.datetime().nullable(),
    verification_expires_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('PartnerOrganization');

export function organizationOnWire(partner: PartnerOrganization): z.infer<typeof OrganizationView> {
  return {
    organization_id: partner.organization,
    name: partner.firmName,
    role: partner.role,
    state: partner.state,
    reason: partner.reason,
    crd_number: partner.crdNumber,
    sec_registration_number: partner.secRegistrationNumber,
    verified_at: isoTimeOrNull(partner.verifiedAt),
    verification_expires_at: isoTimeOrNull(partner.verificationExpiresAt),
    created_at: isoTime(partner.createdAt),
  };
}
