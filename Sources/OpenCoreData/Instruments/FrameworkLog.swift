import Foundation

/// Where the framework says what a program should know and no error can tell.
enum FrameworkLog {
  /// Writes a line to stderr.
  static func write(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: \(text)\n".utf8))
  }
}
