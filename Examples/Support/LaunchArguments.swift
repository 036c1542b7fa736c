/// The arguments that Core Data itself looks for: `-com.apple.CoreData.SQLDebug 1`.
package enum LaunchArguments {
  /// The arguments without those and their values, for a parser that does not know them.
  package static func removed(from arguments: [String]) -> [String] {
    guard let flag = arguments.firstIndex(where: { $0.hasPrefix("-com.apple.CoreData.") }) else { return arguments }
    return Array(arguments[..<flag]) + removed(from: Array(arguments[flag...].dropFirst(2)))
  }
}
