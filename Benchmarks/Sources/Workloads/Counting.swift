import Foundation

/// Counting of instructions under callgrind, as in `Baseline/counting.c`: instead of being timed, each work is done twice, and
/// the instructions of the second time are counted.
enum Counting {
  /// The names of the works that are counted; all other works are left out. Empty if times are measured.
  static let names = Set(CommandLine.arguments.dropFirst(3))

  /// Whether instructions are counted. Works of linear cost are smaller then, because callgrind takes fifty times as long.
  static var isOn: Bool { !names.isEmpty }

  /// Returns whether a work is done in this process.
  static func includes(_ name: String) -> Bool { !isOn || names.contains(name) }

  /// Does work once uncounted, then counted, and prints a line in the form of `measure`, with zeros for time and memory.
  static func measure(_ name: String, prepare: () throws -> Void, answer: (() throws -> Int)?, work: () throws -> Int)
    throws
  {
    try prepare()
    let expected = try work()
    let answer = try answer?() ?? expected
    try prepare()
    guard try countedWork(work) == expected else {
      throw WorkloadError(description: "\(name): not \(expected) the second time")
    }
    print(name, 0, 0, 1, answer, 0, 0, 0)
  }
}

/// Callgrind counts from the beginning to the end of this function, which it finds by the name of its symbol. The attributes
/// prevent the optimiser from copying the function under another name, and from replacing the call by a jump.
@_silgen_name("counted_work") @inline(never) @_optimize(none)
func countedWork(_ work: () throws -> Int) throws -> Int {
  let answer = try work()
  return answer
}
