import OpenCoreData

/// The functions of the program that caused the activities: each stack of a recording without the functions of the
/// framework and the system, and without those that the compiler has added.
package struct CallPaths {
  /// The index of a function in `names`.
  package typealias Function = Int

  /// The short names of the functions.
  package private(set) var names: [String] = []
  /// The functions of each stack, the innermost first.
  private var functions: [[Function]] = []
  /// The number of each stack's path: stacks that differ only in lines have the same number.
  private var numbers: [Int] = []

  package init(_ recording: Recording) {
    var known: [String: Function] = [:]
    var paths: [[Function]: Int] = [:]
    var cache: [Recording.Frame: String?] = [:]
    for stack in recording.stacks {
      var path: [Function] = []
      for frame in stack {
        let name: String?
        if let found = cache[frame] {
          name = found
        } else {
          name = Self.name(of: frame)
          cache[frame] = name
        }
        guard let name else { continue }
        let function = known[name] ?? names.count
        if function == names.count {
          known[name] = function
          names.append(name)
        }
        // Work in a property's accessor is attributed to the function that uses the property.
        if path.isEmpty, Self.isAccessor(name) { continue }
        if path.last != function { path.append(function) }
      }
      functions.append(path)
      let number = paths[path] ?? paths.count
      paths[path] = number
      numbers.append(number)
    }
  }

  /// Returns the functions of a stack, the innermost first.
  package func path(_ stack: Recording.StackID?) -> [Function] {
    stack.flatMap { functions.indices.contains($0) ? functions[$0] : nil } ?? []
  }

  func number(_ stack: Recording.StackID?) -> Int {
    stack.flatMap { numbers.indices.contains($0) ? numbers[$0] : nil } ?? -1
  }

  /// Returns the name of the innermost function.
  package func caller(_ stack: Recording.StackID?) -> String? { path(stack).first.map { names[$0] } }

  /// Returns the name of a frame's function; nil for frames that say nothing about the program.
  private static func name(of frame: Recording.Frame) -> String? {
    if frame.isOfFramework || isOfSystem(frame) { return nil }
    guard let function = frame.function else {
      // Without a symbol table there is only the address.
      return frame.image.map { "\($0) 0x\(String(frame.address, radix: 16))" }
    }
    return outermost.contains(function) ? nil : FunctionName.short(function)
  }

  private static func isAccessor(_ name: String) -> Bool {
    [".getter", ".setter", ".modify", ".read"].contains { name.hasSuffix($0) }
  }

  private static let outermost: Set = ["main", "_start", "__libc_start_main"]

  private static func isOfSystem(_ frame: Recording.Frame) -> Bool {
    if let image = frame.image, libraries.contains(where: image.hasPrefix) { return true }
    guard let symbol = frame.symbol else { return false }
    return symbols.contains { symbol.hasPrefix($0) }
  }

  private static let libraries = [
    "libswift", "libdispatch", "libFoundation", "lib_Foundation", "lib_Internals", "libBlocksRuntime", "libc.so",
    "libpthread", "libstdc++", "ld-linux", "libXCTest", "libTesting", "libsqlite3",
  ]
  /// The symbols of such libraries when they are linked into the program.
  private static let symbols = ["$ss", "$sS", "$s10Foundation", "$s8Dispatch", "_dispatch_", "swift_", "_swift_"]
}
