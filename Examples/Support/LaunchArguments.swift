/// The launch arguments that Core Data reads, such as `-com.apple.CoreData.SQLDebug 1`.
package enum LaunchArguments {
  /// Returns the arguments without those for Core Data and their values, for a parser that does not know them.
  package static func removed(from arguments: [String]) -> [String] {
    guard let flag = arguments.firstIndex(where: { $0.hasPrefix("-com.apple.CoreData.") }) else { return arguments }
    return Array(arguments[..<flag]) + removed(from: Array(arguments[flag...].dropFirst(2)))
  }
}
