import CommandSupport
import Foundation

/// Messages of the command-line tools, without the options of their commands.
enum PlainWords {
  private static let replacements: [(String, String)] = [
    (
      "; give one with --mapping.", ". One that lies beside the model is followed."
    ),
    (
      " Give it with --from.",
      " Name the file of that model when the studio is started, and choose it as the store's own version."
    ),
    (" --force does it all the same.", ""),
    (" --infer does without the mapping model.", " Without mapping models it can be planned, too."),
    ("; --no-backup migrates without one.", "."),
  ]

  /// - Parameter places: Paths that mean nothing to the user, and the words that replace them.
  static func text(of error: any Error, places: [String: String] = [:]) -> String {
    reworded(ErrorText.text(of: error), places: places)
  }

  static func reworded(_ text: String, places: [String: String] = [:]) -> String {
    var text = text
    for (flag, words) in replacements { text = text.replacing(flag, with: words) }
    for (place, words) in places { text = text.replacing(place, with: words) }
    return text
  }
}
