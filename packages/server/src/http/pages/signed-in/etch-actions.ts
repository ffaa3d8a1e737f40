import { retractPage } from '../retract.tsx';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { retractEtch } from '../../../acts/retract-store.ts';
import { revealEtch } from '../../../acts/reveal-store.ts';
import { makeOpening } from '../../../etches/opening.ts';
import { etchView } from '../../../etches/view.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Parts } from '../../parts.ts';
import { formProblem } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf, SignedOut } from '../session.ts';
import { siteFor } from '../site.ts';
import { etchFinder } from '../subjects.ts';

interface Path {
  Params: { id: string };
}

export function mountEtchActions(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, view, openings, meters } = parts;
  const { reader } = parts.etches;
  const find = etchFinder(reader);

  pages.get<Path>('/e/:id/retract', async (request, reply) => {
    const caller = callerOf(request);
    const row = await find(request.params.id);
    if (row.user_id !== caller.userId) return seeOther(reply, `/e/${row.id}?notice=author`);
    const etch = etchView(row, clock.now(), view);
    if (etch.status === 'retracted') return seeOther(reply, `/e/${etch.id}`);
    return retractPage(siteFor(parts, request), etch);
  });

  pages.post<Path>('/e/:id/retract', async (request, reply) => {
    const { id } = await find(request.params.id);
    try {
      await retractEtch(db, clock, callerOf(request), id);
      return seeOther(reply, `/e/${id}`);
    } catch (error) {
      if (isForAuthor(error)) return seeOther(reply, `/e/${id}?notice=author`);
      // A second click changes nothing.
      if (error instanceof Failure && error.code === 'unprocessable') return seeOther(reply, `/e/${id}`);
      if (error instanceof Failure && !(error instanceof SignedOut)) throw error;
      const problem = formProblem(error, request, reply);
      const etch = etchView(await reader.get(id), clock.now(), view);
      return retractPage(siteFor(parts, request), etch, problem);
    }
  });

  /** Opening requires a form, so that a link on another site cannot cause its work. */
  pages.post<Path>('/e/:id/opening', async (request, reply) => {
    const caller = callerOf(request);
    const { id, code } = await find(request.params.id);
    const count = () => meters.opening.take(caller.userId, 1);
    let opening;
    try {
      opening = await makeOpening(openings, caller, id, count);
    } catch (error) {
      return refused(reply, id, error);
    }
    return reply
      .header('Cache-Control', 'no-store')
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="opening-${code}.json"`)
      .send(`${JSON.stringify(opening, null, 2)}\n`);
  });

  pages.post<Path>('/e/:id/reveal', async (request, reply) => {
    const caller = callerOf(request);
    const { id } = await find(request.params.id);
    try {
      await revealEtch(db, view.keyring, caller, id, clock.now());
    } catch (error) {
      return refused(reply, id, error, 'early');
    }
    return seeOther(reply, `/e/${id}`);
  });

  async function refused(
    reply: FastifyReply,
    id: string,
    error: unknown,
    whileSealed?: 'early',
  ): Promise<FastifyReply> {
    if (isForAuthor(error)) return seeOther(reply, `/e/${id}?notice=author`);
    if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error;
    const { status } = etchView(await reader.get(id), clock.now(), view);
    const notice = { sealed: whileSealed, retracted: 'retracted', revealed: 'public' }[status];
    if (notice === undefined) throw error;
    return seeOther(reply, `/e/${id}?notice=${notice}`);
  }
}

const isForAuthor = (error: unknown): boolean => error instanceof Failure && error.code === 'forbidden';
