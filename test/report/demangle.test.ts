/** Names as Nsight Compute prints them; the mangled forms were written by g++ and clang++ for the declarations beside them. */
import { describe, expect, it } from 'vitest'
import { demangle } from '../../src/report/demangle.ts'

const cases: readonly [mangled: string, full: string, short: string, base: string][] = [
  ['_Z8copyGmemPfPKfii', 'copyGmem(float *, const float *, int, int)', 'copyGmem', 'copyGmem'],
  [
    '_Z13transposeSmemILi0EEvPfPKfii',
    'void transposeSmem<(int)0>(float *, const float *, int, int)',
    'transposeSmem<0>',
    'transposeSmem',
  ],
  ['_Z4copyIfEvPKT_PS0_j', 'void copy<float>(const T1 *, T1 *, unsigned int)', 'copy<float>', 'copy'],
  [
    '_Z7reduce7IiLj256ELb1EEvPKT_PS0_j',
    'void reduce7<int, (unsigned int)256, (bool)1>(const T1 *, T1 *, unsigned int)',
    'reduce7<int, 256, 1>',
    'reduce7',
  ],
  ['_Z3negILin5EEvv', 'void neg<(int)-5>()', 'neg<-5>', 'neg'],
  // template <class T, E e> void ns::k(ns::C<T, 3> *, const T &, T (*)[4], int (*)(float, T))
  [
    '_ZN2ns1kIfLNS_1EE1EEEvPNS_1CIT_Li3EEERKS3_PA4_S3_PFifS3_E',
    'void ns::k<float, (ns::E)1>(ns::C<T1, (int)3> *, const T1 &, T1 (*)[4], int (*)(float, T1))',
    'ns::k<float, 1>',
    'k',
  ],
  [
    '_ZN2ns12_GLOBAL__N_14anonEPKPi',
    'ns::(anonymous namespace)::anon(int *const *)',
    'ns::(anonymous namespace)::anon',
    'anon',
  ],
  ['_Z2pkIJifPKcEEvDpT_', 'void pk<int, float, const char *>(T1...)', 'pk<int, float, const char *>', 'pk'],
  [
    '_Z3lamIZ4mainEUlfE0_EvT_i',
    'void lam<main::[lambda(float) (instance 2)]>(T1, int)',
    'lam<main::[lambda(float) (instance 2)]>',
    'lam',
  ],
  ['_Z4byfnIXadL_Z1giEEEvPVKc', 'void byfn<&g>(const volatile char *)', 'byfn<&g>', 'byfn'],
  ['_Z4byfnITnPFviEXadL_Z1giEEEvPVKc', 'void byfn<&g>(const volatile char *)', 'byfn<&g>', 'byfn'],
  ['_Z2mpM1SiMS_KFviE', 'mp(int S::*, void (S::*)(int) const)', 'mp', 'mp'],
  [
    '_Z6valuesyxtdmbN6float4E',
    'values(unsigned long long, long long, unsigned short, double, unsigned long, bool, float4)',
    'values',
    'values',
  ],
  ['_Z1fSt4pairIiSt6vectorIfSaIfEEE', 'f(std::pair<int, std::vector<float, std::allocator<float>>>)', 'f', 'f'],
]

describe('demangle', () => {
  it.each(cases)('%s', (mangled, full, short, base) => {
    expect(demangle(mangled)).toEqual({ full, short, base })
  })

  it.each(['plainC', '_Z', '_Z99short', '_ZN3abcE_garbage', '_Z1fT', '_Z1fS9_', ''])('leaves %j as it is', name => {
    expect(demangle(name)).toEqual({ full: name, short: name, base: name })
  })
})
