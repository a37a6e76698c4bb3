// A self-signed certificate for localhost, for tests only: its key is public.
// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=localhost

export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUNHE4g02u2+fGSNrt71apCCdphjwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2MjE1OFoYDzIxMjYxMDI4
MDYyMTU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARUWFYx5buAIwo0RUzxvZ02aFAbtccrJLtYuTLw1++d3vSO+Ug4pVBF
f5pCm16FPtuno7XPqWitNd2CbNiYHHupo1MwUTAdBgNVHQ4EFgQUqYgNis9bEXcj
QUib2uYwV24ruV8wHwYDVR0jBBgwFoAUqYgNis9bEXcjQUib2uYwV24ruV8wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAA3D6+Pfy5hDvVUuhcRCB0
15sMclwojhXcCx8aNKAtVwIhANBPkINb20lLvZF+BDvCLwq6ocR2Loxd/9QBCodu
YvJj
-----END CERTIFICATE-----
`;

export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDFtP+hql+4HqldNU
WcG4CbOCWVXTspdajz4Pg7SQtw6hRANCAARUWFYx5buAIwo0RUzxvZ02aFAbtccr
JLtYuTLw1++d3vSO+Ug4pVBFf5pCm16FPtuno7XPqWitNd2CbNiYHHup
-----END PRIVATE KEY-----
`;
