/// Makes a failing script of a random test short: lines are left out as long as it still fails.
///
///     let short = try ScriptReduction.minimal(lines) { try !run($0).isEmpty }
public enum ScriptReduction {
  /// - Parameters:
  ///   - lines: a script that fails. Any part of it must be a script, too.
  ///   - attempts: how many scripts are tried at most.
  ///   - fails: tries a script.
  /// - Returns: a part of the script that still fails.
  public static func minimal(
    _ lines: [String], attempts: Int = 1000, fails: ([String]) throws -> Bool
  ) rethrows -> [String] {
    var lines = lines, left = attempts, size = max(1, lines.count / 2)
    while left > 0 {
      var place = 0, hasChanged = false
      while place < lines.count, left > 0 {
        var shorter = lines
        shorter.removeSubrange(place..<min(place + size, lines.count))
        left -= 1
        if try fails(shorter) { (lines, hasChanged) = (shorter, true) } else { place += size }
      }
      if size > 1 { size = max(1, size / 2) } else if !hasChanged { break }
    }
    return lines
  }
}
