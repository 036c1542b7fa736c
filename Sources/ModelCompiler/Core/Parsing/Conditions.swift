/// The `#if` blocks that are open at a place in the source.
///
/// Conditions are not evaluated. The generated file repeats them, and the compiler evaluates them when it reads that
/// file.
struct Conditions {
  private struct Block {
    var failed: [String] = []
    var current: String
  }

  private var blocks: [Block] = []

  mutating func apply(_ directive: Token.Directive, _ condition: String) {
    switch directive {
    case .if: blocks.append(Block(current: condition))
    case .elseif, .else:
      guard var block = blocks.popLast() else { return }
      if !block.current.isEmpty { block.failed.append(block.current) }
      block.current = condition
      blocks.append(block)
    case .endif: _ = blocks.popLast()
    }
  }

  /// The conditions that all hold at this place.
  var active: [String] {
    blocks.flatMap { block in block.failed.map { "!(\($0))" } + (block.current.isEmpty ? [] : ["(\(block.current))"]) }
  }
}
