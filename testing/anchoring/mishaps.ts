import type { Chain, Hex } from '../../packages/server/src/chain/port.ts';
import type { World } from './world.ts';

/** A chain whose methods a test may change; what it does not change is the real one. */
export function wrap(chain: Chain, changes: Partial<Chain>): Chain {
  return { ...chain, ...changes };
}

/** Somebody else with the relayer's key spends its next nonce. */
export async function spendNonce(chain: Chain, nonce?: number): Promise<Hex> {
  const request = {
    calldata: '0x' as Hex,
    gas: 100_000n,
    maxFeePerGas: 50n * 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 9n,
  };
  const signed = await chain.sign({ ...request, nonce: nonce ?? (await chain.minedNonce()) });
  await chain.send(signed.raw);
  for (let tries = 0; tries < 200 && !(await chain.receipt(signed.hash)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return signed.hash;
}

/** The chain loses its last blocks and makes others without their transactions. */
export async function reorganise(world: World, depth: number): Promise<void> {
  await world.rpc('anvil_reorg', depth, []);
  await catchUp(world);
}

/** anvil's clock goes on from the block it went back to: sets it one second ahead again, as the devnet does. */
export async function catchUp(world: World): Promise<void> {
  const offset = Number(await world.rpc('evm_increaseTime', 0));
  await world.rpc('evm_increaseTime', 1 - offset);
}

export async function mine(world: World, blocks = 1): Promise<void> {
  for (let block = 0; block < blocks; block++) await world.rpc('evm_mine');
}

export async function baseFee(world: World): Promise<bigint> {
  return (await world.chain().head()).baseFeePerGas;
}

export async function setNextBaseFee(world: World, wei: bigint): Promise<void> {
  await world.rpc('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
}

/** Blocks at rest ask for a gwei again. */
export async function calmFees(world: World): Promise<void> {
  await setNextBaseFee(world, 10n ** 9n);
  await world.rpc('evm_mine');
}
