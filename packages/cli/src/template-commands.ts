import type { TemplateName } from '@svc/protocol/conventions';

export const TEMPLATE_COMMANDS: Record<TemplateName, string> = {
  forecast: 'svc etch --file forecast.txt --description "About the bridge" --wait',
  preregistration:
    'svc etch --file plan.md --sealed-until 60d --description "Plan of a study on seedlings" --topic science',
  disclosure:
    'svc etch --files proof/ --file disclosure.txt --sealed-until 90d --description "A flaw, reported to its maintainer" --topic tech',
};
