import CommandSupport
import ExampleSupport
import Foundation
import Testing

@Suite struct ExampleSupportTests {
  @Test func columnsAreAlignedAndLinesHaveNoEnds() {
    var table = TextTable(["what", "ms", "rows"])
    table.rows = [["a long name", "1.5", "10000"], ["b", "12.0", ""]]
    #expect(
      table.text == """
        what           ms   rows
        -----------  ----  -----
        a long name   1.5  10000
        b            12.0
        """)
  }

  @Test func aSeedGivesTheSameNumbers() {
    var (first, second, other) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7), SeededGenerator(seed: 8))
    let numbers = (0..<100).map { _ in first.next() }
    #expect(numbers == (0..<100).map { _ in second.next() })
    #expect(numbers != (0..<100).map { _ in other.next() })
    #expect(Set(numbers).count == 100)
  }

  @Test func memoryThatIsGivenBackIsForgotten() {
    PeakMemory.forget()
    let before = PeakMemory.megabytes
    #expect(before > 0)
    do {
      let block = UnsafeMutableRawPointer.allocate(byteCount: 256 << 20, alignment: 4096)
      memset(block, 1, 256 << 20)
      block.deallocate()
    }
    #expect(PeakMemory.megabytes > before + 200)
    PeakMemory.forget()
    #expect(PeakMemory.megabytes < before + 200)
  }
}
