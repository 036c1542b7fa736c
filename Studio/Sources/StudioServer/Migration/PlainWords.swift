import CommandSupport
import Foundation

/// What tools say, without the flags of their commands.
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

  /// - Parameter places: paths that mean nothing to anybody, and what to say instead.
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
