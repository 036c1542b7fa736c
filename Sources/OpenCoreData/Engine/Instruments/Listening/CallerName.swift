import CRuntime
import Foundation
import Synchronization

/// Names the functions of the program that caused events.
enum CallerName {
  /// Symbols of Swift's and the system's libraries where they are linked into the program.
  private static let system = ["$ss", "$sS", "$s10Foundation", "$s8Dispatch", "_dispatch_", "swift_", "_swift_"]
  private static let limit = 10_000

  /// The symbols that were looked up so far; an empty one where there is none. Reading those of a large program takes a while.
  private static let known = Mutex<[UInt: String]>([:])

  /// The innermost function of each call stack that is neither the framework's nor the system's, by the keys of the stacks; none
  /// where no symbol tells it.
  static func callers(_ stacks: [Int: [UInt]]) -> [Int: String] {
    var symbols = known.withLock { $0 }
    let missing = Set(stacks.values.joined()).filter { symbols[$0] == nil }
    if !missing.isEmpty {
      let found = LoadedImage.symbols(of: missing, in: LoadedImage.all().filter { !isLibrary($0.path) })
      for address in missing { symbols[address] = found[address] ?? "" }
      let all = symbols.count > limit ? [:] : symbols
      known.withLock { $0 = all }
    }
    return stacks.compactMapValues { caller($0, symbols) }
  }

  /// Whether a file is a shared library, by its own name: a folder may be called anything.
  static func isLibrary(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasSuffix(".so") || name.contains(".so.")
  }

  private static func caller(_ stack: [UInt], _ symbols: [UInt: String]) -> String? {
    for address in stack {
      guard let symbol = symbols[address], !symbol.isEmpty else { continue }
      let name = demangled(symbol)
      let frame = Recording.Frame(address: address, function: name, symbol: symbol, image: nil)
      if frame.isOfFramework || system.contains(where: symbol.hasPrefix) || isGlue(name) { continue }
      return String(name.prefix(300))
    }
    return nil
  }

  private static func isGlue(_ name: String) -> Bool {
    ["partial apply", "reabstraction thunk", "protocol witness", "implicit closure"].contains { name.hasPrefix($0) }
  }

  private static func demangled(_ symbol: String) -> String {
    guard let name = runtime_demangle(symbol, UInt(symbol.utf8.count)) else { return symbol }
    defer { free(name) }
    return String(cString: name)
  }
}
