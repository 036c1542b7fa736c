import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct SortKeysTests {
  @Test func newMembersGoBetweenAndBehind() {
    #expect(SortKeys.ascending([nil, nil, nil]) == [2048, 3072, 4096])
    #expect(SortKeys.ascending([2048, nil, 3072]) == [2048, 2560, 3072])
    #expect(SortKeys.ascending([2048, 3072, nil, nil]) == [2048, 3072, 4096, 5120])
    #expect(SortKeys.ascending([nil, 2048, 3072]) == [1024, 2048, 3072])
    #expect(SortKeys.ascending([5120, 2048, 3072, 4096]) == [1024, 2048, 3072, 4096])
    #expect(SortKeys.ascending([2048, nil, nil, nil, 3072]) == [2048, 2304, 2560, 2816, 3072])
    #expect(SortKeys.ascending([]) == [])
  }

  @Test func keysThatNoStoreShouldHaveDoNoHarm() {
    #expect(isAscending(SortKeys.ascending([.max, .min, -3, 0, 7])))
    #expect(isAscending(SortKeys.ascending([1, nil, 2, nil, 3])))
    #expect(isAscending(SortKeys.ascending([SortKeys.limit, nil, nil])))
    #expect(isAscending(SortKeys.ascending([5, 5, 5, 5])))
    #expect(!SortKeys.hasRoom(for: 1, after: .max) && SortKeys.hasRoom(for: 1, after: .min))
  }

  /// However members are put in, the keys ascend, and each insertion changes few of them.
  @Test func fewKeysChange() {
    var generator = SeededGenerator(for: "sort keys")
    for place in ["front", "middle", "same", "random"] {
      var keys = SortKeys.ascending([Int64?](repeating: nil, count: 400))
      var changed = 0
      for step in 0..<400 {
        let index =
          switch place {
          case "front": 0
          case "middle": keys.count / 2
          case "same": 200 + step
          default: Int.random(in: 0...keys.count, using: &generator)
          }
        var wanted: [Int64?] = keys
        wanted.insert(nil, at: index)
        let new = SortKeys.ascending(wanted)
        changed += zip(wanted, new).filter { $0 != $1 }.count
        keys = new
        if !isAscending(keys) { Issue.record("\(place) \(step)") }
      }
      print("\(place): \(changed) keys written for 400 insertions")
      #expect(changed < 400 * 20)
    }
  }

  private func isAscending(_ keys: [Int64]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } && keys.allSatisfy { $0 > 0 && $0 <= SortKeys.limit + 1 << 20 }
  }
}
