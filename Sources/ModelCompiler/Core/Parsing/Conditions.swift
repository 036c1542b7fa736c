/// The `#if` blocks that are open at a place in the source.
///
/// Conditions are not evaluated: the compiler does that when it reads the generated file, which repeats them.
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

  /// Conditions that all hold here.
  var active: [String] {
    blocks.flatMap { block in block.failed.map { "!(\($0))" } + (block.current.isEmpty ? [] : ["(\(block.current))"]) }
  }
}
