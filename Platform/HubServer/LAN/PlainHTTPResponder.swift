import Crypto
import Foundation
import HTTPTypes
import HubKit
import Hummingbird
import NIOCore

/// The response to plain HTTP on the HTTPS port: a page that says so, and the certificate, which a phone may need
/// before it trusts the port. There is no redirect, so that people who type the wrong address see that it is wrong;
/// except for links with a code after their `#`, which a browser keeps only on a redirect (Fetch, 4.4).
struct PlainHTTPResponder: Sendable {
    let origin: String
    let lan: LAN

    func response(to request: Request) -> Response {
        if request.method == .get || request.method == .head,
            let file = CertificateFile(rawValue: request.uri.path), let bytes = lan.bytes(file)
        {
            let answer = APIResponse.certificate(bytes, file).setting(.connection, "close").content
            return request.method == .head ? answer.httpResponse.withoutBody : answer.httpResponse
        }
        if request.method == .get, ["/join", "/reset"].contains(request.uri.path) {
            let headers: HTTPFields = [
                .location: origin + request.uri.path, .cacheControl: "no-store", .connection: "close",
            ]
            return Response(status: .temporaryRedirect, headers: headers)
        }
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .connection: "close",
            .contentSecurityPolicy:
                "default-src 'none'; style-src '\(Self.styleHash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        // As the hub's pages do, in words: this is not how the port is asked.
        return Response(status: .badRequest, headers: headers, body: .init(byteBuffer: ByteBuffer(string: page)))
    }

    private var page: String {
        let certificate = lan.authority.map {
            """
            <h2>The phone or computer warns of it?</h2>
            <p>It does not know this hub yet. Give it the hub’s certificate, then open the address above: it shows you \
            how, step by step.</p>
            <p><a href="\(CertificateFile.appleProfile.rawValue)">For iPhone and iPad</a>\
            <a href="\(CertificateFile.der.rawValue)">For Android and computers</a></p>
            <p>It is the right one if the hub itself shows the same fingerprint: in the terminal where it was started, \
            or with <code>tandem authority</code>.</p>
            <p class="print">\("\($0.fingerprint)".replacingOccurrences(of: ":", with: " "))</p>
            """
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Tandem speaks HTTPS here</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
            <style>\(Self.style)</style></head><body><main>
            <h1>This door is locked with HTTPS</h1>
            <p>You came with <code>http://</code>, without the s. Tandem is here:</p>
            <p><a href="\(origin)">\(origin)</a></p>
            \(certificate ?? "")</main></body></html>

            """
    }

    /// The style of the page, a few lines of the same look: the hub's style sheets are behind HTTPS.
    private static let style = """
        body{margin:0;font:1.0625rem/1.5 system-ui,sans-serif;background:light-dark(#e7e1da,#24211e);\
        color:light-dark(#211d19,#f2ede7)}main{max-width:34rem;margin:0 auto;padding:3rem 1.25rem}\
        h1{font-size:1.75rem;line-height:1.2}h2{font-size:1.125rem;margin-top:2.5rem}\
        a{display:inline-block;margin:0 .75rem .75rem 0;padding:.75rem 1rem;border:2px solid;border-radius:.5rem;\
        color:inherit;font-weight:600}.print{font:1rem/1.7 ui-monospace,monospace;word-spacing:.35em}
        """

    private static let styleHash =
        "sha256-" + Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
}

extension Response {
    fileprivate var withoutBody: Response {
        var response = self
        response.headers[.contentLength] = body.contentLength.map(String.init)
        response.body = .init()
        return response
    }
}
