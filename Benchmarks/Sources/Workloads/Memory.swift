import Foundation

/// The resident memory of this process.
enum Memory {
  /// The resident memory, in kB.
  static var resident: Int { field("VmRSS") }

  /// The largest resident memory since the process began, or since `forgetPeak()`, in kB.
  static var peak: Int { field("VmHWM") }

  /// Resets the peak. If the system does not allow this, the peak stays that of the whole process.
  static func forgetPeak() {
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
    try? file.write(contentsOf: Data("5".utf8))
    try? file.close()
  }

  private static func field(_ name: String) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
    return 0
  }
}
