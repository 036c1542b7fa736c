import Foundation
final class Thing { var key: Int; init(_ k: Int) { key = k } }
func cpu() -> Double {
  var t = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
  return Double(t.tv_sec) * 1e6 + Double(t.tv_nsec) / 1e3
}
for n in [10_000, 100_000, 1_000_000] {
  var list = ChunkedList((0..<n).map { Thing($0 * 10) })
  var chunks = [ObjectIdentifier: Int](minimumCapacity: n)
  for c in list.chunks { for e in c.elements { chunks[ObjectIdentifier(e)] = c.number } }
  var g = SystemRandomNumberGenerator()
  let rounds = 20_000
  var compared = 0
  let t = cpu()
  for _ in 0..<rounds {
    let new = Thing(Int.random(in: 0..<n * 10, using: &g))
    var (low, high) = (0, list.count)
    while low < high {
      let m = list.middle(of: low..<high)
      compared += 1
      if list[m].key > new.key { high = m } else { low = m + 1 }
    }
    func note(_ r: ChunkedList<Thing>.Relocation?) {
      guard let r else { return }
      for e in list.elements(ofChunk: r.chunk)[r.offsets] { chunks[ObjectIdentifier(e)] = r.chunk }
    }
    note(list.insert(new, at: low))
    chunks[ObjectIdentifier(new)] = list.chunk(at: low)
    let gone = Int.random(in: 0..<list.count, using: &g)
    let old = list[gone]
    let c = chunks[ObjectIdentifier(old)]!
    let place = list.elements(ofChunk: c).firstIndex { $0 === old }! + list.start(ofChunk: c)
    precondition(place == gone)
    let (e, r) = list.remove(at: place)
    chunks[ObjectIdentifier(e)] = nil
    note(r)
  }
  print(n, "microseconds for a search, an insertion, a look-up of a place and a removal:", (cpu() - t) / Double(rounds), "comparisons", Double(compared) / Double(rounds))
}
